const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Whether JSON text nests arrays and objects deeper than `limit`. Looks at bytes before anything is parsed: parsing a
 * million brackets blocks the process for a third of a second, and what comes out overflows the stack later.
 */
export function isNestedDeeperThan(limit: number, json: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (isInString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
