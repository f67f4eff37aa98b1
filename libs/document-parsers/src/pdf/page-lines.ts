import { isBlank, isUpright, isVertical, type PageItem } from './page-item.js';
import { withStackedGlyphs } from './stacked-glyphs.js';

type Line = readonly PageItem[];

/** An item of a vertical page, with its position. */
interface Placed {
  readonly item: PageItem;
  /** Horizontal centre. */
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Lines of a page. On pages with mostly vertical text these are columns: in file order if that is readable, which keeps
 * notes and tables where the author put them, otherwise sorted. Pure.
 */
export function linesOf(items: readonly PageItem[]): readonly Line[] {
  const standing = withStackedGlyphs(items);
  const vertical = standing.filter(isVertical);
  if (lettersOf(vertical) * 2 <= lettersOf(standing)) return endedLines(items);
  const size = sum(vertical.map((item) => sizeOf(item) * item.str.length)) / lettersOf(vertical);
  const placed = standing.filter((item) => !isBlank(item)).map(place);
  const columns = bandsOf(placed, size).flatMap((band) => columnsOf(band, size));
  if (isInOrder(placed, columns, size)) return endedLines(withoutGaps(standing));
  return columns.flatMap(brokenColumn);
}

function endedLines(items: readonly PageItem[]): readonly Line[] {
  const lines: PageItem[][] = [[]];
  for (const item of items) {
    lines.at(-1)?.push(item);
    if (item.hasEOL) lines.push([]);
  }
  return lines;
}

/** Removes blanks that the PDF library inserts around upright or rotated letters in a column. */
function withoutGaps(items: readonly PageItem[]): readonly PageItem[] {
  return items.map((item, index) => {
    const beside = [items[index - 1], items[index + 1]];
    return isBlank(item) && beside.some((one) => one !== undefined && isVertical(one))
      ? { ...item, str: '' }
      : item;
  });
}

function place(item: PageItem): Placed {
  const [x = 0, y = 0] = item.transform.slice(4);
  if (isVertical(item)) return { item, x, top: y, bottom: y - item.height };
  if (isUpright(item)) return { item, x: x + item.width / 2, top: y + item.height, bottom: y };
  return { item, x: x + item.height / 2, top: y, bottom: y - item.width };
}

/** Splits a page into horizontal bands, separated by empty space of at least a letter's height. */
function bandsOf(placed: readonly Placed[], size: number): readonly (readonly Placed[])[] {
  const bands: Placed[][] = [];
  let bottom = Infinity;
  for (const one of placed.toSorted((a, b) => b.top - a.top)) {
    if (bands.length === 0 || one.top <= bottom - size) bands.push([]);
    bands.at(-1)?.push(one);
    bottom = Math.min(bottom, one.bottom);
  }
  return bands;
}

/** Columns from right to left, each from top to bottom. */
function columnsOf(band: readonly Placed[], size: number): readonly (readonly Placed[])[] {
  const columns: Placed[][] = [];
  let x = Infinity;
  for (const one of band.toSorted((a, b) => b.x - a.x)) {
    if (x - one.x > size / 2) {
      columns.push([]);
      ({ x } = one);
    }
    columns.at(-1)?.push(one);
  }
  return columns.map((column) => column.sort((a, b) => b.top - a.top));
}

/**
 * True if the file runs through each column at once and rarely goes back to the right. Small letters beside a column
 * give its pronunciation and are ignored.
 */
function isInOrder(
  placed: readonly Placed[],
  columns: readonly (readonly Placed[])[],
  size: number,
): boolean {
  const ofText = ({ item }: Placed): boolean => isVertical(item) && sizeOf(item) > size * 0.6;
  const given = placed.filter(ofText);
  let pieces = 1;
  let changes = 0;
  let backward = 0;
  for (const [index, one] of given.entries()) {
    const before = given[index - 1];
    if (before === undefined) continue;
    const isOtherColumn = Math.abs(one.x - before.x) > size / 2;
    if (isOtherColumn || Math.abs(before.bottom - one.top) > size) pieces += 1;
    if (isOtherColumn) changes += 1;
    if (isOtherColumn && one.x > before.x && one.top > before.bottom - size) backward += 1;
  }
  return backward * 2 <= changes && pieces <= columns.filter((column) => column.some(ofText)).length * 2;
}

/** One line, except that horizontal texts become separate lines. */
function brokenColumn(column: readonly Placed[]): readonly Line[] {
  const lines: PageItem[][] = [];
  for (const [index, { item }] of column.entries()) {
    const before = column[index - 1];
    if (before === undefined || (!isVertical(item) && !isVertical(before.item))) lines.push([]);
    lines.at(-1)?.push(item);
  }
  return lines;
}

function sizeOf({ transform }: PageItem): number {
  return transform[3] ?? 0;
}

function lettersOf(items: readonly PageItem[]): number {
  return sum(items.map(({ str }) => str.trim().length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
