import type { JsonObject, JsonValue } from '#libs/kernel';
import type { Faults } from './faults.js';
import type { ValidationSteps } from './validation-steps.js';

/** The part of a validation that its rules need. */
export interface RuleContext {
  readonly steps: ValidationSteps;
  /** The schema that the keyword stands in. */
  readonly schema: JsonObject;
  /** The schema that a reference leads to. */
  readonly target: (reference: string) => JsonValue;
  /** Checks the value, or a part of it, by another schema. */
  readonly check: (schema: JsonValue, value: JsonValue) => Faults;
}

/** Checks a value by one keyword; `wanted` is the value of the keyword, well formed (`malformedKeyword`). */
export type Rule = (wanted: JsonValue, value: JsonValue, context: RuleContext) => Faults;
