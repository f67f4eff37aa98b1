import { clsx } from 'clsx';
import { problemOf } from '../api/problem.js';

const LOOK = {
  live: { word: 'Live', shape: 'rounded-full bg-done' },
  connecting: { word: 'Connecting …', shape: 'rounded-full border-2 border-edge' },
  polled: {
    word: 'Read every 10 s: the live connection is down',
    shape: 'rounded-full border-2 border-action',
  },
};

interface LiveProps {
  readonly currency: keyof typeof LOOK;
  /** Failure of the last reading; null if it succeeded. */
  readonly error: Error | null;
}

/** How current a screen is: by a word, and by the shape and colour of a dot. */
export function Live({ currency, error }: LiveProps) {
  if (error !== null) return <NotCurrent error={error} />;
  const { word, shape } = LOOK[currency];
  return <Currency word={word} shape={shape} />;
}

/** Says why a screen shows an earlier state. */
export function NotCurrent({ error }: { readonly error: Error }) {
  const { status, message } = problemOf(error);
  const word = `Not current: ${status === 0 ? 'the server cannot be reached' : message}`;
  return <Currency word={word} shape="rounded-xs bg-failed" />;
}

function Currency({ word, shape }: { readonly word: string; readonly shape: string }) {
  return (
    <span role="status" className="flex items-center gap-1.5 text-sm text-muted">
      <span aria-hidden className={clsx('size-2', shape)} />
      {word}
    </span>
  );
}
