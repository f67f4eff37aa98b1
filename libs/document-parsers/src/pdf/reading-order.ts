import { isBlank, isUpright, RIGHT_TO_LEFT, type PageItem } from './page-item.js';

type Direction = 'left' | 'right';

interface Part {
  readonly text: string;
  /** Null for signs and blanks, which follow their neighbours. */
  readonly direction: Direction | null;
}

/** A gap of this part of the height of the letters is a blank. */
const BLANK_GAP = 0.15;
/** Digits of a number that stands by itself, such as that of a telephone; others belong to a name, as in `Windows 11`. */
const MIN_DIGITS = 7;
const MIRRORED: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '«': '»', '»': '«', '<': '>', '>': '<' },
};

/** So many words of a page are written in each direction; numbers in neither. */
export interface WordCounts {
  readonly right: number;
  readonly left: number;
}

/** Pure. */
export function countWords(text: string): WordCounts {
  const words = text.match(/\S*\p{L}\S*/gu) ?? [];
  const right = words.filter((word) => RIGHT_TO_LEFT.test(word)).length;
  return { right, left: words.length - right };
}

/**
 * Pure: the items of one line as people read and type them. A file has letters in the order of their places; words from
 * right to left are put into theirs, between words and numbers from left to right (the reverse of UAX 9, rule L2).
 */
export function lineText(items: readonly PageItem[], page: WordCounts): string {
  const all = items.map(({ str }) => str).join('');
  if (!RIGHT_TO_LEFT.test(all) || !items.every(isUpright)) return all;
  const base = baseOf(countWords(all), page);
  const placed = partsOf(items);
  const parts = withDirections(base === 'right' ? withNumbersApart(placed) : withSignsApart(placed), base);
  const runs = runsOf(parts).map((run) => (run[0]?.direction === 'right' ? run.toReversed() : run));
  return textOf(base === 'right' ? runs.toReversed() : runs);
}

/** A line of both directions has that of its page, where most of the page has one: a file does not say it. */
function baseOf(line: WordCounts, page: WordCounts): Direction {
  if (line.right >= line.left * 3) return 'right';
  const counts = Math.max(page.right, page.left) >= 2 * Math.min(page.right, page.left) ? page : line;
  return counts.right >= counts.left ? 'right' : 'left';
}

/** From left to right, with a blank wherever there is room for one. */
function partsOf(items: readonly PageItem[]): readonly Part[] {
  const placed = items.filter(({ str }) => str !== '').toSorted((a, b) => leftOf(a) - leftOf(b));
  return placed.flatMap((item, index) => {
    const part = { text: item.str, direction: directionOf(item.str) };
    const before = placed[index - 1];
    if (before === undefined || isBlank(before) || isBlank(item)) return [part];
    const gap = leftOf(item) - (leftOf(before) + before.width);
    return gap > item.height * BLANK_GAP ? [{ text: ' ', direction: null }, part] : [part];
  });
}

function leftOf({ transform }: PageItem): number {
  return transform[4] ?? 0;
}

function directionOf(text: string): Direction | null {
  if (RIGHT_TO_LEFT.test(text)) return 'right';
  return /[\p{L}\p{N}]/u.test(text) ? 'left' : null;
}

/** Signs around words from right to left, which the reader of PDF has turned with them, stand on one side only. */
function withSignsApart(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) => {
    if (part.direction !== 'right') return [part];
    const letters = [...part.text];
    const first = letters.findIndex(isOfWord);
    const last = letters.findLastIndex(isOfWord);
    const sign = (text: readonly string[]): Part => ({ text: text.toReversed().join(''), direction: null });
    const words = { ...part, text: letters.slice(first, last + 1).join('') };
    const all = [sign(letters.slice(last + 1)), words, sign(letters.slice(0, first))];
    return all.filter(({ text }) => text !== '');
  });
}

function isOfWord(letter: string): boolean {
  return /[\p{L}\p{N}\p{M}]/u.test(letter);
}

/**
 * A long number to the left of a word from right to left is read right after it, before a word from left to right: UAX 9
 * shows both orders alike.
 */
function withNumbersApart(parts: readonly Part[]): readonly Part[] {
  let after: Direction | null = null;
  return parts
    .toReversed()
    .map((part) => {
      const direction = after === 'right' && isLongNumber(part.text) ? after : part.direction;
      after = direction ?? after;
      return { ...part, direction };
    })
    .reverse();
}

/** Signs between two parts of one direction have it, others that of the line. */
function withDirections(parts: readonly Part[], base: Direction): readonly Part[] {
  const after: (Direction | null)[] = [];
  let next: Direction | null = null;
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    after[index] = next;
    next = parts[index]?.direction ?? next;
  }
  let before: Direction | null = null;
  return parts.map(({ text, direction }, index) => {
    if (direction !== null) before = direction;
    return { text, direction: direction ?? (before !== null && before === after[index] ? before : base) };
  });
}

function isLongNumber(text: string): boolean {
  return !/\p{L}/u.test(text) && (text.match(/\d/g)?.length ?? 0) >= MIN_DIGITS;
}

function runsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const runs: Part[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last?.[0]?.direction === part.direction) last.push(part);
    else runs.push([part]);
  }
  return runs;
}

/** Fonts have brackets as they look; where they stand the wrong way round they are turned. */
function textOf(runs: readonly (readonly Part[])[]): string {
  const plain = runs
    .flat()
    .map(({ text }) => text)
    .join('');
  const turned = runs
    .flat()
    .map(({ text, direction }) => (direction === 'right' ? mirrored(text) : text))
    .join('');
  return strayBrackets(turned) < strayBrackets(plain) ? turned : plain;
}

function mirrored(text: string): string {
  return text.replace(/[()[\]{}«»<>]/g, (sign) => MIRRORED[sign] ?? sign);
}

/** Brackets without a partner. */
function strayBrackets(text: string): number {
  let open = 0;
  let stray = 0;
  for (const [sign] of text.matchAll(/[()[\]{}«»]/g)) {
    if ('([{«'.includes(sign)) open += 1;
    else if (open > 0) open -= 1;
    else stray += 1;
  }
  return stray + open;
}
