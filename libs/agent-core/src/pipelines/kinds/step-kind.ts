import type { JsonValue } from '#libs/kernel';
import { MOST_FILLED_CHARS } from '#libs/policy';
import type { IncompleteReason } from '#libs/payloads';
import type { FailureDetails, RequestedCall } from '../../journal-entry.js';
import type { RoundState, ScopeState, ToolCallState } from '../../scope-state.js';
import type { ScopePath } from '../../scopes/scope-path.js';
import type { StepData } from '../step-data.js';

/** What a round of a step has come to. */
export type StepEnd =
  | { readonly kind: 'done'; readonly output: JsonValue; readonly foreign?: readonly string[] }
  | { readonly kind: 'failed'; readonly error: FailureDetails }
  /** The pipeline ends where it is. */
  | { readonly kind: 'incomplete'; readonly reason: IncompleteReason; readonly text: string };

/** A round of a pipeline, all of whose calls have ended, and what ran inside of them. */
export interface EndedRound {
  readonly path: ScopePath;
  readonly round: RoundState;
  readonly scopes: ReadonlyMap<ScopePath, ScopeState>;
}

/** Before it has an id in its pipeline. */
export type UnnamedCall = Omit<RequestedCall, 'callId'>;

/** A kind of step that is one call: the call that it makes, and what follows from how it ended. Both are pure. */
export interface CallKind<Step> {
  /** Null where it would be too long. @param name of the step */
  callOf(step: Step, data: StepData, name: string): UnnamedCall | null;
  endOf(step: Step, call: ToolCallState, ended: EndedRound): StepEnd;
}

/** What it would be called with is too long. */
export const OVERFILLED: StepEnd = failedStep(
  `with the values of its places, what it asks for is longer than ${MOST_FILLED_CHARS} characters`,
);

/** @param code by default `STEP_FAILED` */
export function failedStep(message: string, code?: string): StepEnd {
  return { kind: 'failed', error: { code: code ?? 'STEP_FAILED', message } };
}
