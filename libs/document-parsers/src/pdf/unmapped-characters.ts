import type { PageItem } from './page-item.js';

/**
 * Characters that are no letters: controls, replacement characters, and private use ones except those of the Symbol
 * font.
 */
const UNMAPPED =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff\ue000-\uefff\uf100-\uf8ff\u{f0000}-\u{10ffff}]/gu;

/** True if the text contains characters without a letter. Pure. */
export function hasUnmapped(text: string): boolean {
  return text.search(UNMAPPED) >= 0;
}

/** Removes characters without a letter. Pure. */
export function withoutUnmapped(text: string): string {
  return text.replace(UNMAPPED, '');
}

/**
 * The `unreadable` fonts with text that consists of glyph numbers instead of letters. Some files number glyphs by their
 * letters: text with blanks and without control characters counts as readable. Pure.
 */
export function fontsWithoutLetters(
  items: readonly PageItem[],
  unreadable: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(
    [...unreadable].filter((font) => {
      const text = items.filter(({ fontName }) => fontName === font).map(({ str }) => str);
      const whole = text.join('');
      return whole !== '' && (hasUnmapped(whole) || !whole.trim().includes(' '));
    }),
  );
}
