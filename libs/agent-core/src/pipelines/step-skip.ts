import type { CallPosition, JournalEntry } from '../journal-entry.js';
import type { ScopeState } from '../scope-state.js';
import type { StepOutcome } from './step-state.js';

/** That a step of a pipeline did not run. */
export type StepSkip = Extract<JournalEntry, { kind: 'step_settled' }> & {
  readonly outcome: Extract<StepOutcome, { status: 'skipped' }>;
};

export function isSkip(entry: JournalEntry): entry is StepSkip {
  return entry.kind === 'step_settled' && entry.outcome.status === 'skipped';
}

/**
 * Where the audit has a step that was skipped, of this fold of its scope. It has no round: it stands behind the calls of the
 * last round before it, and behind the steps between, so that rows have an order; where nothing has run yet, in round 0.
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
