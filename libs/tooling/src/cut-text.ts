import { toStorableText } from '#libs/kernel';

const CUT_NOTE = '\n[the rest was cut off]';
const encoder = new TextEncoder();

/** Bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Text that can be stored and has at most `maxBytes` bytes of UTF-8; where something was cut off, it ends in a note. The
 * work is bounded by `maxBytes`, not by the text. `maxBytes` is at least the length of the note.
 */
export function cutText(text: string, maxBytes: number): string {
  // A character has at least one byte; the longer text may lose characters before it fits.
  const storable = toStorableText(text.slice(0, maxBytes + 1));
  const isWhole = text.length <= maxBytes + 1;
  const fits = encoder.encodeInto(storable, new Uint8Array(maxBytes)).read === storable.length;
  if (isWhole && fits) return storable;
  return wholeCharacters(storable, maxBytes - CUT_NOTE.length) + CUT_NOTE;
}

/** The longest beginning of well-formed `text` with at most `maxBytes` bytes that splits no character. */
export function wholeCharacters(text: string, maxBytes: number): string {
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes))).read);
}
