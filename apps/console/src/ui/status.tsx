import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  Contrast,
  LoaderCircle,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import { clsx } from 'clsx';
import type { ExecutionStatus } from '../api/types.js';

interface Look {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly colour: string;
}

/** Each state by a word, a shape and a colour, so that none of them is needed alone. */
export const STATUS_LOOK: Readonly<Record<ExecutionStatus, Look>> = {
  queued: { word: 'Queued', icon: CircleDashed, colour: 'text-muted' },
  running: { word: 'Running', icon: LoaderCircle, colour: 'text-running' },
  requires_action: { word: 'Needs decision', icon: TriangleAlert, colour: 'text-action' },
  completed: { word: 'Completed', icon: CircleCheck, colour: 'text-done' },
  incomplete: { word: 'Incomplete', icon: Contrast, colour: 'text-partial' },
  failed: { word: 'Failed', icon: CircleX, colour: 'text-failed' },
  cancelled: { word: 'Cancelled', icon: Ban, colour: 'text-muted' },
};

export function Status({
  status,
  className,
}: {
  readonly status: ExecutionStatus;
  readonly className?: string;
}) {
  const { word, icon: Icon, colour } = STATUS_LOOK[status];
  return (
    <span
      className={clsx('inline-flex items-center align-middle gap-1.5 whitespace-nowrap', colour, className)}
    >
      <Icon
        aria-hidden
        className={clsx('size-3.5 shrink-0', status === 'running' && 'animate-[spin_2s_linear_infinite]')}
      />
      {word}
    </span>
  );
}
