import type { JsonValue } from '#libs/kernel';
import type { FailureDetails } from '../failure-details.js';
import { asText } from '#libs/policy';

/** Why a step was skipped: its condition was false, or a branch led past it. */
export type SkipReason = 'condition' | 'branch';

export type StepOutcome =
  | {
      readonly status: 'succeeded';
      /** The value that later steps read. */
      readonly output: JsonValue;
      /** Present if the output holds foreign content: its marks, as for tool outcomes. */
      readonly foreign?: readonly string[];
    }
  /** The branch chose the next step; null ends the pipeline. */
  | { readonly status: 'branched'; readonly to: string | null }
  /** `because` is absent in entries of older releases. */
  | { readonly status: 'skipped'; readonly because?: SkipReason }
  /** Ends the pipeline. */
  | { readonly status: 'failed'; readonly error: FailureDetails };

/** A step that has ended. */
export interface SettledStep {
  readonly name: string;
  readonly outcome: StepOutcome;
}

/** The step that a round belongs to, and the attempt at it, from 1. */
export interface BegunStep {
  readonly name: string;
  readonly attempt: number;
}

/** Output of the last step that succeeded; undefined if none did. */
export function lastValue(steps: readonly SettledStep[]): JsonValue | undefined {
  return steps.flatMap(({ outcome }) => (outcome.status === 'succeeded' ? [outcome.output] : [])).at(-1);
}

/** The partial answer of a pipeline that has not ended. */
export function lastOutput(steps: readonly SettledStep[]): string {
  return asText(lastValue(steps));
}
