import type { JsonValue } from '#libs/kernel';

/** What the answer of a loop has to be, where that is said. */
export interface AnswerRules {
  /** What is wrong with an answer that is JSON, for the model; nothing where it fits. Pure. */
  findFaults(answer: JsonValue): readonly string[];
}
