const encoder = new TextEncoder();
const CUT_NOTE = '\n[the rest was cut off]';

/** Text that PostgreSQL stores: without NUL and lone surrogates. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Storable text of at most `maxBytes` bytes of UTF-8; truncated text ends with a note. */
export function cutText(text: string, maxBytes: number): string {
  const storable = toStorableText(text);
  const whole = wholeCharacters(storable, maxBytes);
  if (whole.length === storable.length) return storable;
  return wholeCharacters(storable, maxBytes - CUT_NOTE.length) + CUT_NOTE;
}

/** The longest beginning of well-formed `text` with at most `maxBytes` bytes that splits no character. */
export function wholeCharacters(text: string, maxBytes: number): string {
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes))).read);
}
