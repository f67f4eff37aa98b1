import type { JsonObject, JsonValue } from '#libs/kernel';
import type { Faults } from './faults.js';
import type { ValidationSteps } from './validation-steps.js';

/** Context of a validation for its rules. */
export interface RuleContext {
  readonly steps: ValidationSteps;
  /** The schema that contains the keyword. */
  readonly schema: JsonObject;
  /** Resolves a reference. */
  readonly target: (reference: string) => JsonValue;
  /** Validates a value, or a part of it, by another schema. */
  readonly check: (schema: JsonValue, value: JsonValue) => Faults;
}

/** Validates a value by one keyword; `wanted` is the keyword's well-formed value (`malformedKeyword`). */
export type Rule = (wanted: JsonValue, value: JsonValue, context: RuleContext) => Faults;
