import type { JsonValue } from '#libs/kernel';

/** The output schema that the final answer of a loop must match. */
export interface AnswerRules {
  /** Validation errors of a parsed JSON answer, worded for the model; empty if it is valid. Pure. */
  findFaults(answer: JsonValue): readonly string[];
}
