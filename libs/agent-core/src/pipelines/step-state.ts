import type { JsonValue } from '#libs/kernel';
import type { FailureDetails } from '../failure-details.js';

/** Why a step did not run: its condition did not hold, or a branch led past it. */
export type SkipReason = 'condition' | 'branch';

export type StepOutcome =
  | {
      readonly status: 'succeeded';
      /** What later steps read of it. */
      readonly output: JsonValue;
      /** Present where somebody outside wrote of it: the marks, as of outcomes of tools. */
      readonly foreign?: readonly string[];
    }
  /** It chose the step to go on with; null: the end. */
  | { readonly status: 'branched'; readonly to: string | null }
  /** `because` is absent in what older releases wrote. */
  | { readonly status: 'skipped'; readonly because?: SkipReason }
  /** Ends the pipeline. */
  | { readonly status: 'failed'; readonly error: FailureDetails };

/** A step that is over. */
export interface SettledStep {
  readonly name: string;
  readonly outcome: StepOutcome;
}

/** Which step a round of a pipeline belongs to, and which of its attempts the round is, from 1. */
export interface BegunStep {
  readonly name: string;
  readonly attempt: number;
}
