import type { ScopeState } from '../scope-state.js';
import type { JournalEntry } from '../journal-entry.js';
import { isSkip } from '../pipelines/step-skip.js';
import type { RunReporter } from './run-reporter.js';

export function reportAnswer(round: number, state: ScopeState, reporter: RunReporter): void {
  const answered = state.rounds[round - 1];
  if (!answered) return;
  reporter.modelAnswers(answered);
  if (answered.calls.length === 0) reporter.roundEnds(answered);
}

/** Reports calls that settled without running, and skipped steps. */
export function reportSettled(
  entries: readonly JournalEntry[],
  state: ScopeState,
  reporter: RunReporter,
): void {
  const settled = entries.filter((entry) => entry.kind === 'tool_call_settled');
  for (const { round, position, outcome } of settled) {
    const call = state.rounds[round - 1]?.calls[position];
    if (call) reporter.callEnds(call, outcome, []);
  }
  if (settled.length > 0) reportRoundEnd(state, reporter);
  for (const { step, outcome } of entries.filter(isSkip))
    if (outcome.because !== undefined) reporter.stepIsSkipped(step, outcome.because);
}

export function reportRoundEnd(state: ScopeState, reporter: RunReporter): void {
  const round = state.rounds.at(-1);
  if (round && round.calls.length > 0 && round.calls.every((call) => call.outcome !== null))
    reporter.roundEnds(round);
}
