const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** The text, or where it is longer than `most` UTF-16 code units, its beginning and `...`; no character is split. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(HIGH_SURROGATE, '')}...`;
}
