import type { Victim } from './fault.js';
import type { PlannedFault } from './fault-plan.js';
import type { Times } from './times.js';

/** Which protection a control leaves out. */
export const CONTROLS = ['fence', 'reconciler', 'effect_class', 'blame'] as const;
export type Control = (typeof CONTROLS)[number];

/** What the checks have to say without the protection: one of these is enough. */
export const EXPECTED: Readonly<Record<Control, readonly string[]>> = {
  fence: ['I4', 'I7', 'I8'],
  reconciler: ['I1'],
  effect_class: ['I4'],
  blame: ['I25'],
};

const WORKERS: readonly [Victim, Victim] = ['worker-1', 'worker-2'];
/** Beyond its lease: long enough to be overtaken, and to find its successor at work. */
const OVERTAKEN_MS = 2_500;
const CONTROL_KILL_EVERY_MS = 1_500;

/** Faults that the protection is there for, again and again, so that it is missed whatever else the seed brings. */
export function planControlFaults(
  control: Control,
  durationMs: number,
  { leaseSeconds }: Pick<Times, 'leaseSeconds'>,
): PlannedFault[] {
  switch (control) {
    case 'fence': {
      const frozenMs = leaseSeconds * 1_000 + OVERTAKEN_MS;
      return inTurn(durationMs, frozenMs + 500, (victim) => ({ kind: 'freeze', victim, frozenMs }));
    }
    case 'reconciler':
    case 'effect_class':
    case 'blame':
      return inTurn(durationMs, CONTROL_KILL_EVERY_MS, (victim) => ({ kind: 'kill', victim, downMs: 0 }));
  }
}

function inTurn(
  durationMs: number,
  everyMs: number,
  faultOf: (victim: Victim) => PlannedFault['fault'],
): PlannedFault[] {
  const times = Math.floor(durationMs / everyMs);
  return Array.from({ length: times }, (_, index) => ({
    atMs: (index + 1) * everyMs - everyMs / 2,
    fault: faultOf(WORKERS[index % 2] ?? 'worker-1'),
  }));
}
