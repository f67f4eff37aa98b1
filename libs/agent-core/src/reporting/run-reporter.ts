import type { ToolFile } from '#libs/tooling';
import type { ToolCallState, RoundState } from '../scope-state.js';
import type { RunnableCall } from '../decide-next-action.js';
import type { ExecutionOutcome, ToolCallOutcome } from '../journal-entry.js';
import type { SkipReason } from '../pipelines/step-state.js';
import type { ModelDelta } from '../ports/model.js';

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
