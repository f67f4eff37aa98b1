export type JsonPrimitive = string | number | boolean | null;
export type JsonValue = JsonPrimitive | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Deeper JSON makes `JSON.stringify` and `structuredClone` overflow the stack long after it was parsed. */
export const MAX_JSON_DEPTH = 64;

const NUL = /\u0000/g;

const encoder = new TextEncoder();

/** Longer texts are encoded into room of their own. */
const MOST_UNITS = 32_768;
/** A unit of a text has at most three bytes. Written into and never read. */
const scratch = new Uint8Array(3 * MOST_UNITS);

/** Bytes of UTF-8 of a text; a lone surrogate counts as what replaces it. */
export function utf8Length(text: string): number {
  if (text.length > MOST_UNITS) return encoder.encode(text).length;
  return encoder.encodeInto(text, scratch).written;
}

/** Text that PostgreSQL accepts: no NUL (SQLSTATE 22021, 22P05), no lone surrogate (22P02). */
export function toStorableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replace(NUL, '') : wellFormed;
}

/**
 * Any value as JSON that can be stored: strings made storable, `undefined` and functions dropped as `JSON.stringify`
 * does, what lies deeper than {@link MAX_JSON_DEPTH} replaced by a note, own `__proto__` keys dropped.
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
 * The value itself where it can be stored as it is, else what {@link toStorableJson} makes of it. For whoever writes it down
 * at once: what is stored a moment later may have been changed meanwhile.
 */
export function asStorableJson(value: unknown): JsonValue {
  return isStorableJson(value, 0) ? value : toStorableJson(value);
}

/** Whether `toStorableJson` would only copy it. Nearly all is, and this makes nothing. */
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
