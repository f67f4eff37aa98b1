const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

const COLON = 0x3a;

/** Limits of a JSON text. */
export interface JsonLimits {
  /** Maximum nesting of arrays and objects. */
  readonly depth: number;
  /** Maximum keys of all objects together. */
  readonly keys: number;
}

/**
 * The limit that a JSON text exceeds, or null. It scans bytes before parsing: a million brackets block the process for a
 * third of a second and overflow the stack later; a hundred thousand keys become as many objects and faults.
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
    // Outside strings each key has one colon.
    else if (byte === COLON) keys += 1;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > limits.depth) return 'depth';
    if (keys > limits.keys) return 'keys';
  }
  return null;
}

/**
 * The path of a number that overflows a double, for example `1e999`; null if there is none. JSON would store it as null,
 * which passes for an omitted value. The value's depth must be limited, since the search recurses.
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
