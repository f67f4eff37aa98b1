import { clsx } from 'clsx';

const LOOK = {
  live: { word: 'Live', shape: 'rounded-full bg-done' },
  connecting: { word: 'Connecting …', shape: 'rounded-full border-2 border-edge' },
  polled: {
    word: 'Read every 10 s: the live connection is down',
    shape: 'rounded-full border-2 border-action',
  },
  lost: { word: 'Not current: the server cannot be reached', shape: 'rounded-xs bg-failed' },
};

/** How current a screen is: by a word, and by the shape and colour of a dot. */
export function Live({ currency }: { readonly currency: keyof typeof LOOK }) {
  const { word, shape } = LOOK[currency];
  return (
    <span role="status" className="flex items-center gap-1.5 text-sm text-muted">
      <span aria-hidden className={clsx('size-2', shape)} />
      {word}
    </span>
  );
}
