const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

const COLON = 0x3a;

/** What JSON text may hold. */
export interface JsonLimits {
  /** How deep arrays and objects may be nested. */
  readonly depth: number;
  /** Keys of all its objects together. */
  readonly keys: number;
}

/**
 * Which limit JSON text exceeds, if any. Looks at bytes before anything is parsed: parsing a million brackets blocks the
 * process for a third of a second, and what comes out overflows the stack later; a hundred thousand keys become as many
 * objects, faults and rows.
 */
export function findJsonExcess(limits: JsonLimits, json: Uint8Array): keyof JsonLimits | null {
  let depth = 0;
  let keys = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (isInString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    // Outside of texts there is one colon for each key.
    else if (byte === COLON) keys += 1;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > limits.depth) return 'depth';
    if (keys > limits.keys) return 'keys';
  }
  return null;
}

/**
 * Where parsed JSON holds a number that no double can, such as `1e999`: JSON has no word for what it became, so that it
 * would be stored as null and pass for "not given". Null where there is none. The value must not be deeper than a call
 * stack.
 */
export function findHugeNumber(value: unknown): readonly (string | number)[] | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, item] of entries) {
    const below = findHugeNumber(item);
    if (below !== null) return [key, ...below];
  }
  return null;
}
