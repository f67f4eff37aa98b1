export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * Maximum nesting depth. Deeper JSON makes `JSON.stringify` and `structuredClone` overflow the stack long after it was
 * parsed.
 */
export const MAX_JSON_DEPTH = 64;

const NUL = /\u0000/g;

const encoder = new TextEncoder();

/** Maximum UTF-16 code units of a text that fits the scratch buffer. */
const MAX_UNITS = 32_768;
/** Buffer for at most three bytes per code unit. Written and never read. */
const scratch = new Uint8Array(3 * MAX_UNITS);

/** UTF-8 length of a text in bytes; a lone surrogate counts as its replacement character. */
export function utf8Length(text: string): number {
  if (text.length > MAX_UNITS) return encoder.encode(text).length;
  return encoder.encodeInto(text, scratch).written;
}

/** Text that PostgreSQL accepts: no NUL (SQLSTATE 22021, 22P05), no lone surrogate (22P02). */
export function toStorableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replace(NUL, '') : wellFormed;
}

/**
 * Converts any value to storable JSON: strings made storable, `undefined` and functions dropped as by `JSON.stringify`,
 * values deeper than {@link MAX_JSON_DEPTH} replaced by a note, own `__proto__` keys dropped.
 */
export function toStorableJson(value: unknown, depth = 0): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return null;
  if (depth >= MAX_JSON_DEPTH) return '[nested too deeply]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map((item) => toStorableJson(item, depth + 1));
  const storable: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = toStorableText(key);
    if (name !== '__proto__' && isStorable(item)) storable[name] = toStorableJson(item, depth + 1);
  }
  return storable;
}

/**
 * Returns the value itself if it is storable, else its {@link toStorableJson} copy. Only for values that are serialized
 * at once, since the caller may change the returned object later.
 */
export function asStorableJson(value: unknown): JsonValue {
  return isStorableJson(value, 0) ? value : toStorableJson(value);
}

/** Whether `toStorableJson` would return an equal copy, which holds for nearly all values. Allocates nothing. */
function isStorableJson(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= MAX_JSON_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isStorableJson(item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key in value) {
    if (key === '__proto__' || !isStorableText(key)) return false;
    if (!isStorableJson((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isStorable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
