import type { JsonValue } from '#libs/kernel';
import type { IncompleteReason } from '#libs/payloads';
import type { FailureDetails, RequestedCall } from '../../journal-entry.js';
import type { RoundState, ScopeState } from '../../scope-state.js';
import type { ScopePath } from '../../scopes/scope-path.js';
import type { StepData } from '../step-data.js';

/** What a round of a step has come to. */
export type StepEnd =
  | { readonly kind: 'done'; readonly output: JsonValue; readonly foreign?: string }
  | {
      readonly kind: 'failed';
      readonly error: FailureDetails;
      /** Nothing of it may have taken effect, so another attempt repeats nothing. */
      readonly mayRepeat: boolean;
    }
  /** The pipeline ends where it is. */
  | { readonly kind: 'incomplete'; readonly reason: IncompleteReason; readonly text: string };

/** A round of a pipeline, all of whose calls have ended, and what ran inside of them. */
export interface EndedRound {
  readonly path: ScopePath;
  readonly round: RoundState;
  readonly scopes: ReadonlyMap<ScopePath, ScopeState>;
}

/** What a kind of step is: the calls that it makes, and what follows from how they ended. Both are pure. */
export interface StepKind<Step> {
  /** @param callId of its first call: unique in the pipeline */
  callsOf(step: Step, data: StepData, callId: string): readonly RequestedCall[];
  endOf(step: Step, ended: EndedRound): StepEnd;
}

export function failedStep(message: string, mayRepeat: boolean, code = 'STEP_FAILED'): StepEnd {
  return { kind: 'failed', error: { code, message }, mayRepeat };
}
