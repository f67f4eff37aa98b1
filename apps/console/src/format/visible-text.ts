/** Control characters, but for tab and line ends, and those that turn the direction of what follows. */
const HIDDEN = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;
const PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = '\u2421';

/** JSON in which characters that would act unseen, such as in a terminal, are written as escapes. Pure. */
export function visibleJsonText(value: object): string {
  return JSON.stringify(value).replaceAll(
    HIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * A foreign text with pictures in place of what would act unseen, such as the escape that begins a command of a terminal:
 * a copy of it does nothing either. Pure.
 */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(PICTURES + code);
    return code === DELETE
      ? DELETE_PICTURE
      : `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });
}
