import { RIGHT_TO_LEFT, type PageItem } from './page-item.js';

/** Maximum glyphs searched for an item: some glyphs are not part of the text, such as those beside the page. */
const LOOKED_ON = 200;

/**
 * Restores the letter order of ligatures. The PDF library reverses right-to-left words letter by letter, including
 * letters of glyphs that stand for several, such as lam with alef. Pure.
 */
export function withJoinedLetters(
  items: readonly PageItem[],
  glyphs: readonly string[],
): readonly PageItem[] {
  if (!glyphs.some(isJoined)) return items;
  let at = 0;
  return items.map((item) => {
    const letters = item.str.replace(/\s+/g, '');
    if (letters === '') return item;
    const found = findGlyphs(glyphs, at, letters);
    if (found === null) return item;
    at = found.to;
    const own = glyphs.slice(found.from, found.to);
    if (!own.some(isJoined) || own.join('').split('').reverse().join('') !== letters) return item;
    return { ...item, str: withLetters(item.str, own.toReversed().join('')) };
  });
}

function isJoined(glyph: string): boolean {
  return glyph.length > 1 && RIGHT_TO_LEFT.test(glyph);
}

/** The next glyphs with exactly these letters, in any order. */
function findGlyphs(
  glyphs: readonly string[],
  at: number,
  letters: string,
): { readonly from: number; readonly to: number } | null {
  const wanted = sorted(letters);
  for (let from = at; from < Math.min(glyphs.length, at + LOOKED_ON); from += 1) {
    let length = 0;
    let to = from;
    while (to < glyphs.length && length < letters.length) {
      length += glyphs[to]?.length ?? 0;
      to += 1;
    }
    if (length === letters.length && sorted(glyphs.slice(from, to).join('')) === wanted) return { from, to };
  }
  return null;
}

function sorted(text: string): string {
  return text.split('').sort().join('');
}

/** Replaces the letters of a text; its blanks stay. */
function withLetters(text: string, letters: string): string {
  let at = 0;
  return text.replace(/\S/g, () => letters.charAt(at++));
}
