import type { ToolFile } from '#libs/tooling';
import type { ToolCallState, RoundState } from '../scope-state.js';
import type { RunnableCall } from '../decide-next-action.js';
import type { ExecutionOutcome, ToolCallOutcome } from '../journal-entry.js';
import type { SkipReason } from '../pipelines/step-state.js';
import type { ModelDelta } from '../ports/model.js';

/** What of an execution is emitted to those who follow it, and when. Only live progress is emitted; a replay is not. */
export interface RunReporter {
  /** The model is asked, for the first time or again. */
  modelCallBegins(round: number): void;
  delta(round: number, delta: ModelDelta): void;
  /** The try gave no answer; `isPartial` says whether anything of it was heard. */
  modelCallFails(round: number, isPartial: boolean): void;
  modelAnswers(round: RoundState): void;
  callBegins(call: RunnableCall): void;
  callEnds(call: ToolCallState, outcome: ToolCallOutcome, files: readonly DeliveredFile[]): void;
  /** Every call of the round has ended. */
  roundEnds(round: RoundState): void;
  /** A step of a pipeline does not run. */
  stepIsSkipped(step: string, because: SkipReason): void;
  /** Nothing follows but the result. */
  runEnds(outcome: ExecutionOutcome): void;
}

/** Something a tool made for the user, ready to be shown. */
export type DeliveredFile =
  { readonly kind: 'file'; readonly file: ToolFile } | { readonly kind: 'text'; readonly text: string };
