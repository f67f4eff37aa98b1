import type { Victim } from './fault.js';
import type { PlannedFault } from './fault-plan.js';
import type { Times } from './times.js';

/** The protections that a control can leave out. */
export const CONTROLS = ['fence', 'reconciler', 'effect_class', 'crash_attribution'] as const;
export type Control = (typeof CONTROLS)[number];

/** The invariants that break without the protection; a control succeeds if one of them does. */
export const EXPECTED: Readonly<Record<Control, readonly string[]>> = {
  fence: ['I4', 'I7', 'I8'],
  reconciler: ['I1'],
  effect_class: ['I4'],
  crash_attribution: ['I25'],
};

const WORKERS: readonly [Victim, Victim] = ['worker-1', 'worker-2'];
/** Milliseconds beyond the lease: long enough that a successor has claimed the work and runs. */
const OVERTAKEN_MS = 2_500;
const CONTROL_KILL_EVERY_MS = 1_500;

/** Repeats the faults that the protection is for, so that its absence shows under every seed. */
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
    case 'crash_attribution':
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
