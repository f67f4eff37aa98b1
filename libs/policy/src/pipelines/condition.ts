import { isJsonObject, type JsonValue } from '#libs/kernel';
import { z } from 'zod';
import { JSON_POINTER, resolvePointer } from './json-pointer.js';

/** A question about a value, by exactly one of the tests. A value that is not there passes none but `exists: false`. */
export type ValueTest = { readonly value: string } & (
  | { readonly equals: JsonValue }
  | { readonly one_of: readonly JsonValue[] }
  | { readonly exists: boolean }
  | { readonly at_least: number }
  | { readonly at_most: number }
  /** A text has this part, or a list this item. */
  | { readonly contains: JsonValue }
);

/** When a step runs: a closed language, no code. */
export type Condition =
  | ValueTest
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

const SHAPE =
  'must be { "value": pointer, and one of "equals", "one_of", "exists", "at_least", "at_most", "contains" }, or { "all" | "any": [conditions] }, or { "not": condition }';
const MOST_PARTS = 32;

const value = z.string().regex(JSON_POINTER);
const json = z.json() as z.ZodType<JsonValue>;

export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union(
    [
      z.strictObject({ value, equals: json }),
      z.strictObject({ value, one_of: z.array(json).min(1).max(MOST_PARTS) }),
      z.strictObject({ value, exists: z.boolean() }),
      z.strictObject({ value, at_least: z.number() }),
      z.strictObject({ value, at_most: z.number() }),
      z.strictObject({ value, contains: json }),
      z.strictObject({ all: z.array(conditionSchema).min(1).max(MOST_PARTS) }),
      z.strictObject({ any: z.array(conditionSchema).min(1).max(MOST_PARTS) }),
      z.strictObject({ not: conditionSchema }),
    ],
    SHAPE,
  ),
);

/** Every pointer that a condition asks about. */
export function pointersInCondition(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(pointersInCondition);
  if ('any' in condition) return condition.any.flatMap(pointersInCondition);
  if ('not' in condition) return pointersInCondition(condition.not);
  return [condition.value];
}

/** Whether a condition holds of these data. Pure. */
export function holds(condition: Condition, data: JsonValue): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, data));
  if ('any' in condition) return condition.any.some((part) => holds(part, data));
  if ('not' in condition) return !holds(condition.not, data);
  return passes(resolvePointer(data, condition.value), condition);
}

function passes(found: JsonValue | undefined, test: ValueTest): boolean {
  if ('exists' in test) return (found !== undefined && found !== null) === test.exists;
  if (found === undefined) return false;
  if ('equals' in test) return isEqual(found, test.equals);
  if ('one_of' in test) return test.one_of.some((one) => isEqual(found, one));
  if ('at_least' in test) return typeof found === 'number' && found >= test.at_least;
  if ('at_most' in test) return typeof found === 'number' && found <= test.at_most;
  if (typeof found === 'string') return typeof test.contains === 'string' && found.includes(test.contains);
  return Array.isArray(found) && (found as JsonValue[]).some((item) => isEqual(item, test.contains));
}

/** The order of keys says nothing. */
function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return areEqualLists(a, b);
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null))
  );
}

function areEqualLists(a: JsonValue, b: JsonValue): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return (a as JsonValue[]).every((item, index) => isEqual(item, (b as JsonValue[])[index] ?? null));
}
