import type { JsonValue } from '#libs/kernel';
import { MAX_FILLED_CHARS } from '#libs/policy';
import type { IncompleteReason } from '#libs/payloads';
import type { FailureDetails, RequestedCall } from '../../journal-entry.js';
import type { RoundState, ScopeState, ToolCallState } from '../../scope-state.js';
import type { ScopePath } from '../../scopes/scope-path.js';
import type { StepData } from '../step-data.js';

/** The result of one round of a step. */
export type StepEnd =
  | { readonly kind: 'done'; readonly output: JsonValue; readonly foreign?: readonly string[] }
  | { readonly kind: 'failed'; readonly error: FailureDetails }
  /** The pipeline ends at this step. */
  | { readonly kind: 'incomplete'; readonly reason: IncompleteReason; readonly text: string };

/** A pipeline round with all calls ended, and the scopes that they opened. */
export interface EndedRound {
  readonly path: ScopePath;
  readonly round: RoundState;
  readonly scopes: ReadonlyMap<ScopePath, ScopeState>;
}

/** A call without its id in the pipeline. */
export type UnnamedCall = Omit<RequestedCall, 'callId'>;

/** A kind of step that makes one call: the call, and the result that follows from its outcome. Both are pure. */
export interface CallKind<Step> {
  /** Null if the filled call would exceed the length limit. @param name step name */
  callOf(step: Step, data: StepData, name: string): UnnamedCall | null;
  endOf(step: Step, call: ToolCallState, ended: EndedRound): StepEnd;
}

/** The filled arguments or prompt of a step exceed the length limit. */
export const OVERFILLED: StepEnd = failedStep(
  `with the values of its places, what it asks for is longer than ${MAX_FILLED_CHARS} characters`,
);

/** @param code default `STEP_FAILED` */
export function failedStep(message: string, code?: string): StepEnd {
  return { kind: 'failed', error: { code: code ?? 'STEP_FAILED', message } };
}
