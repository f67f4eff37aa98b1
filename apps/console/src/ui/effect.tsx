import { Eye, Repeat2, TriangleAlert, type LucideIcon } from 'lucide-react';
import { clsx } from 'clsx';
import type { Effect } from '../api/types.js';

interface Look {
  readonly icon: LucideIcon;
  readonly colour: string;
  readonly meaning: string;
}

const LOOK: Readonly<Record<Effect, Look>> = {
  read: { icon: Eye, colour: 'text-muted', meaning: 'It only reads.' },
  idempotent: {
    icon: Repeat2,
    colour: 'text-running',
    meaning: 'It changes something; to repeat it changes nothing more.',
  },
  unsafe: {
    icon: TriangleAlert,
    colour: 'text-action',
    meaning: 'It changes something, and changes more with each repetition.',
  },
};

/** Effect of a call of a tool, by word, shape and colour. */
export function EffectBadge({ effect }: { readonly effect: Effect }) {
  const { icon: Icon, colour, meaning } = LOOK[effect];
  return (
    <span
      title={meaning}
      className={clsx('inline-flex items-center gap-1 whitespace-nowrap align-middle', colour)}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {effect}
    </span>
  );
}
