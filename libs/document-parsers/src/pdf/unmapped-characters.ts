import type { PageItem } from './page-item.js';

/** No letters: controls, replacements, and private ones but those of the font Symbol, which are bullets and the like. */
const UNMAPPED =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff\ue000-\uefff\uf100-\uf8ff\u{f0000}-\u{10ffff}]/gu;

/** Pure: whether the text has characters that stand for no letter. */
export function hasUnmapped(text: string): boolean {
  return text.search(UNMAPPED) >= 0;
}

/** Pure: the text without characters that stand for no letter. */
export function withoutUnmapped(text: string): string {
  return text.replace(UNMAPPED, '');
}

/**
 * Pure: fonts of these whose glyphs were read by number in the place of letters. Some files number glyphs by their letters:
 * a text with blanks and without controls is taken for one.
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
