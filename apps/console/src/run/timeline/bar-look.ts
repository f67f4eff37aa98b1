import {
  Ban,
  CircleCheck,
  CircleHelp,
  CircleX,
  LoaderCircle,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import type { EntryStatus, TimelineEntry } from './timeline-entry.js';

interface BarLook {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly colour: string;
  readonly fill: string;
}

/** How each state of an entry is drawn: colour, shape and word. */
export const BAR_LOOK: Readonly<Record<EntryStatus, BarLook>> = {
  running: {
    word: 'Running',
    icon: LoaderCircle,
    colour: 'text-running',
    fill: 'bg-running',
  },
  waiting: {
    word: 'Waiting',
    icon: TriangleAlert,
    colour: 'text-action',
    fill: 'bg-action',
  },
  succeeded: {
    word: 'Succeeded',
    icon: CircleCheck,
    colour: 'text-done',
    fill: 'bg-accent',
  },
  failed: { word: 'Failed', icon: CircleX, colour: 'text-failed', fill: 'bg-failed' },
  unknown: { word: 'Unknown', icon: CircleHelp, colour: 'text-action', fill: 'bg-action' },
  skipped: { word: 'Did not run', icon: Ban, colour: 'text-muted', fill: 'bg-edge/60' },
};

/** Successful bars differ by kind; frames and waits are paler than work. */
const WORK: Readonly<Record<TimelineEntry['kind'], string>> = {
  attempt: 'bg-edge/50',
  step: 'bg-edge/50',
  wait: 'bg-edge/50',
  approval: 'bg-edge/50',
  model_call: 'bg-accent/50',
  model_switch: 'bg-action',
  tool_call: 'bg-accent',
  webhook_delivery: 'bg-done/70',
};

/** Frames around work, and waits, are drawn thin. */
export const isThin = ({ kind }: TimelineEntry): boolean =>
  kind === 'attempt' || kind === 'step' || kind === 'wait' || kind === 'approval';

export function fillOf({ kind, status }: TimelineEntry): string {
  return status === 'succeeded' ? WORK[kind] : BAR_LOOK[status].fill;
}
