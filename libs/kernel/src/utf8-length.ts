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
