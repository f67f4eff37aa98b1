import {
  Ban,
  CircleCheck,
  CircleHelp,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { RunStep } from '../../api/types.js';

/** Each state of a step by word, shape and colour. */
export const STEP_LOOK: Readonly<
  Record<RunStep['status'], { word: string; icon: LucideIcon; colour: string }>
> = {
  started: { word: 'Started', icon: LoaderCircle, colour: 'text-running' },
  skipped: { word: 'Skipped', icon: CircleSlash, colour: 'text-muted' },
  succeeded: { word: 'Succeeded', icon: CircleCheck, colour: 'text-done' },
  failed: { word: 'Failed', icon: CircleX, colour: 'text-failed' },
  refused: { word: 'Refused', icon: Ban, colour: 'text-muted' },
  outcome_unknown: { word: 'Outcome unknown', icon: CircleHelp, colour: 'text-action' },
};
