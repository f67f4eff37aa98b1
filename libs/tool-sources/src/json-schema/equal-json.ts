import { isJsonObject, type JsonValue } from '#libs/kernel';
import type { ValidationSteps } from './validation-steps.js';

/** True if both values are equal JSON, regardless of key order. */
export function isEqualJson(one: JsonValue, other: JsonValue, steps: ValidationSteps): boolean {
  steps.take(1);
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    const others = other as readonly JsonValue[];
    return (
      one.length === others.length &&
      (one as readonly JsonValue[]).every((item, at) => isEqualJson(item, others[at] ?? null, steps))
    );
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = steps.namesOf(one);
  return (
    names.length === steps.namesOf(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isEqualJson(one[name] ?? null, other[name] ?? null, steps),
    )
  );
}
