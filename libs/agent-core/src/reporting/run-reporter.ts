import type { ToolFile } from '#libs/tooling';
import type { ToolCallState, RoundState, ScopeState } from '../scope-state.js';
import type { RunnableCall } from '../decide-next-action.js';
import type { ExecutionOutcome, ToolCallOutcome, JournalEntry } from '../journal-entry.js';
import type { SkipReason } from '../pipelines/step-state.js';
import type { ModelDelta } from '../ports/model.js';
import { isSkip } from '../pipelines/step-skip.js';

/** Emits the live progress of an execution to its subscribers. Replayed facts are not emitted. */
export interface RunReporter {
  /** A model call begins, as a first try or a retry. */
  modelCallBegins(round: number): void;
  delta(round: number, delta: ModelDelta): void;
  /** The try failed; `isPartial` is true if part of its answer had arrived. */
  modelCallFails(round: number, isPartial: boolean): void;
  modelAnswers(round: RoundState): void;
  callBegins(call: RunnableCall): void;
  callEnds(call: ToolCallState, outcome: ToolCallOutcome, files: readonly DeliveredFile[]): void;
  /** All calls of the round have ended. */
  roundEnds(round: RoundState): void;
  /** A pipeline step is skipped. */
  stepIsSkipped(step: string, because: SkipReason): void;
  /** Only the result event follows. */
  runEnds(outcome: ExecutionOutcome): void;
}

/** A file or text that a tool made for the user, ready to be shown. */
export type DeliveredFile =
  { readonly kind: 'file'; readonly file: ToolFile } | { readonly kind: 'text'; readonly text: string };

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
