import { isJsonObject, type JsonValue } from '#libs/kernel';
import { z } from 'zod';
import { JSON_POINTER, resolvePointer } from './json-pointer.js';

/** A test of the value at a pointer. A missing value fails every test except `exists: false`. */
export type ValueTest = { readonly value: string } & (
  | { readonly equals: JsonValue }
  | { readonly one_of: readonly JsonValue[] }
  | { readonly exists: boolean }
  | { readonly at_least: number }
  | { readonly at_most: number }
  /** True for a text with this substring, or a list with this item. */
  | { readonly contains: JsonValue }
);

/** A condition of a step: a closed language, not code. */
export type Condition =
  | ValueTest
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

const SHAPE =
  'must be { "value": pointer, and one of "equals", "one_of", "exists", "at_least", "at_most", "contains" }, or { "all" | "any": [conditions] }, or { "not": condition }';
const MAX_PARTS = 32;

const value = z.string().regex(JSON_POINTER);
const json = z.json() as z.ZodType<JsonValue>;

export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union(
    [
      z.strictObject({ value, equals: json }),
      z.strictObject({ value, one_of: z.array(json).min(1).max(MAX_PARTS) }),
      z.strictObject({ value, exists: z.boolean() }),
      z.strictObject({ value, at_least: z.number() }),
      z.strictObject({ value, at_most: z.number() }),
      z.strictObject({ value, contains: json }),
      z.strictObject({ all: z.array(conditionSchema).min(1).max(MAX_PARTS) }),
      z.strictObject({ any: z.array(conditionSchema).min(1).max(MAX_PARTS) }),
      z.strictObject({ not: conditionSchema }),
    ],
    SHAPE,
  ),
);

/** All pointers in a condition. */
export function pointersInCondition(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(pointersInCondition);
  if ('any' in condition) return condition.any.flatMap(pointersInCondition);
  if ('not' in condition) return pointersInCondition(condition.not);
  return [condition.value];
}

/** Evaluates a condition. Pure. */
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

/** Compares regardless of key order. */
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
