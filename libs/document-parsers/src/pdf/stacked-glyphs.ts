import { isBlank, isUpright, isVertical, type PageItem } from './page-item.js';

/** A single character of a script written in columns, or its punctuation. */
const COLUMN_CHARACTER =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー\u3000-\u303f\ufe10-\ufe19\ufe30-\ufe4f\uff01-\uff5e]$/u;
/** Digits or letters set upright within one cell of a column. */
const UPRIGHT_GROUP = /^[\w!?%]{1,3}$/;
/** Minimum characters of a column; shorter stacks may be table cells. */
const MIN_CHARACTERS = 3;
/**
 * Distances relative to the letter size: maximum between the centres of two glyphs, minimum from one glyph down to the
 * next.
 */
const MAX_ASIDE = 0.5;
const MIN_DOWN = 0.5;
const MAX_DOWN = 1.35;
/** Share of a glyph above its baseline. */
const ASCENT = 0.88;

/**
 * Joins columns of single glyphs to vertical items. Some programs, such as browsers, place each glyph of vertical text
 * separately in a horizontal font. Pure.
 */
export function withStackedGlyphs(items: readonly PageItem[]): readonly PageItem[] {
  const found: PageItem[] = [];
  let stack: PageItem[] = [];
  let above: PageItem | null = null;
  const close = (): void => {
    const characters = stack.filter(({ str }) => COLUMN_CHARACTER.test(str)).length;
    for (const item of characters < MIN_CHARACTERS ? stack : [asColumn(stack)]) found.push(item);
    stack = [];
    above = null;
  };
  for (const item of items) {
    if (!isBlank(item)) {
      if (above === null || !isBelow(item, above)) close();
      above = canStand(item) ? item : null;
    }
    stack.push(item);
  }
  close();
  return found;
}

function canStand(item: PageItem): boolean {
  if (isVertical(item) || !isUpright(item)) return false;
  return COLUMN_CHARACTER.test(item.str) || UPRIGHT_GROUP.test(item.str);
}

function isBelow(item: PageItem, above: PageItem): boolean {
  if (!canStand(item)) return false;
  const size = Math.max(sizeOf(item), sizeOf(above));
  const down = (above.transform[5] ?? 0) - (item.transform[5] ?? 0);
  return (
    Math.abs(middleOf(item) - middleOf(above)) <= size * MAX_ASIDE &&
    down >= size * MIN_DOWN &&
    down <= size * MAX_DOWN
  );
}

function sizeOf({ transform }: PageItem): number {
  return transform[3] ?? 0;
}

function middleOf({ transform, width }: PageItem): number {
  return (transform[4] ?? 0) + width / 2;
}

/** One vertical item, starting at the middle of its upper edge like those of vertical fonts. */
function asColumn(stack: readonly PageItem[]): PageItem {
  const glyphs = stack.filter((item) => !isBlank(item));
  const [first, last, end] = [glyphs[0], glyphs.at(-1), stack.at(-1)];
  if (first === undefined || last === undefined || end === undefined)
    throw new Error('a column without glyphs');
  const size = glyphs.reduce((most, glyph) => Math.max(most, sizeOf(glyph)), 0);
  const top = (first.transform[5] ?? 0) + size * ASCENT;
  const bottom = (last.transform[5] ?? 0) - size * (1 - ASCENT);
  return {
    ...{ str: glyphs.map(({ str }) => str).join(''), dir: 'ttb', fontName: first.fontName },
    transform: [size, 0, 0, size, middleOf(first), top],
    ...{ width: size, height: top - bottom, hasEOL: end.hasEOL },
  };
}
