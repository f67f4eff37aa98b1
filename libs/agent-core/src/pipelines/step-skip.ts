import type { CallPosition, JournalEntry } from '../journal-entry.js';
import type { ScopeState } from '../scope-state.js';
import type { StepOutcome } from './step-state.js';

/** The fact that a pipeline step was skipped. */
export type StepSkip = Extract<JournalEntry, { kind: 'step_settled' }> & {
  readonly outcome: Extract<StepOutcome, { status: 'skipped' }>;
};

export function isSkip(entry: JournalEntry): entry is StepSkip {
  return entry.kind === 'step_settled' && entry.outcome.status === 'skipped';
}

/**
 * Position of a skipped step in the audit, in a fold that includes it. The step has no round of its own, so it is
 * placed after the calls of the last round before it and after the skipped steps in between; in round 0 if nothing has
 * run yet.
 */
export function placeOfSkip(
  { step: name }: StepSkip,
  { rounds, steps }: Pick<ScopeState, 'rounds' | 'steps'>,
): CallPosition {
  const names = steps.map((step) => step.name);
  const index = names.indexOf(name);
  const before = rounds.findLast(
    ({ step }) => step !== undefined && names.slice(0, index).includes(step.name),
  );
  if (before?.step === undefined) return { round: 0, position: index };
  const between = index - names.indexOf(before.step.name) - 1;
  return { round: before.number, position: before.calls.length + between };
}
