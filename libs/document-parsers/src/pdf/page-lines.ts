import { isBlank, isUpright, isVertical, type PageItem } from './page-item.js';
import { withStackedGlyphs } from './stacked-glyphs.js';

type Line = readonly PageItem[];

/** An item of a vertical page, with its place. */
interface Placed {
  readonly item: PageItem;
  /** Its middle. */
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Pure: the lines of a page. Where most of its text is vertical they are its columns, in the order of the file as long as
 * that can be read: notes and tables between columns are where their author has put them. Otherwise they are put into order.
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

/** Without the blanks that the reader of PDF finds between a column and letters that are set upright or turned in it. */
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

/** From top to bottom, the parts of a page with an empty strip between them that is as high as a letter. */
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

/** From right to left, each from top to bottom. */
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
 * Whether the file has few columns to the right of the one before them, and goes through each column at once. Small
 * letters beside a column say how it is spoken, and count for nothing.
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

/** One line, but horizontal texts are lines of their own. */
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
