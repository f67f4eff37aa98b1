const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** Truncates a text to `most` UTF-16 code units and appends `...`, without splitting a character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(HIGH_SURROGATE, '')}...`;
}
