import { toStorableText, utf8Length } from '#libs/kernel';

const CUT_NOTE = '\n[the rest was cut off]';
/** Maximum bytes of UTF-8 per UTF-16 code unit. */
const MAX_BYTES_OF_UNIT = 3;
const encoder = new TextEncoder();

/**
 * Storable text of at most `maxBytes` bytes of UTF-8; truncated text ends with a note. The work is bounded by
 * `maxBytes`, not by the text. `maxBytes` is at least the length of the note.
 */
export function cutText(text: string, maxBytes: number): string {
  // One character more than can fit: removing unstorable characters may make the text fit.
  const storable = toStorableText(text.slice(0, maxBytes + 1));
  const isWhole = text.length <= maxBytes + 1;
  if (isWhole && fits(storable, maxBytes)) return storable;
  return wholeCharacters(storable, maxBytes - CUT_NOTE.length) + CUT_NOTE;
}

/** The longest beginning of well-formed `text` with at most `maxBytes` bytes that splits no character. */
export function wholeCharacters(text: string, maxBytes: number): string {
  if (fits(text, maxBytes)) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes))).read);
}

/** Checks the upper bound first: most texts fit, and measuring them would allocate a buffer for nothing. */
function fits(text: string, maxBytes: number): boolean {
  if (text.length * MAX_BYTES_OF_UNIT <= maxBytes) return true;
  return text.length <= maxBytes && utf8Length(text) <= maxBytes;
}
