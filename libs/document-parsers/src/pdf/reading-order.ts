import { isBlank, isUpright, RIGHT_TO_LEFT, type PageItem } from './page-item.js';

type Direction = 'left' | 'right';

interface Part {
  readonly text: string;
  /** Null for signs and blanks, which take the direction of their neighbours. */
  readonly direction: Direction | null;
}

/** Minimum gap that counts as a blank, relative to the height of letters. */
const BLANK_GAP = 0.15;
/**
 * Minimum digits of a number that stands alone, such as a telephone number; shorter ones belong to a name, as in
 * `Windows 11`.
 */
const MIN_DIGITS = 7;
const MIRRORED: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '«': '»', '»': '«', '<': '>', '>': '<' },
};

/** Number of words of a page per direction; numbers count for neither. */
export interface WordCounts {
  readonly right: number;
  readonly left: number;
}

export function countWords(text: string): WordCounts {
  const words = text.match(/\S*\p{L}\S*/gu) ?? [];
  const right = words.filter((word) => RIGHT_TO_LEFT.test(word)).length;
  return { right, left: words.length - right };
}

/**
 * Text of one line in logical order. The file has letters by position: right-to-left words are reordered between
 * left-to-right words and numbers (inverse of UAX 9, rule L2). Pure.
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

/**
 * Base direction of a line. A line of both directions takes that of the majority of the page, because the file does not
 * store it.
 */
function baseOf(line: WordCounts, page: WordCounts): Direction {
  if (line.right >= line.left * 3) return 'right';
  const counts = Math.max(page.right, page.left) >= 2 * Math.min(page.right, page.left) ? page : line;
  return counts.right >= counts.left ? 'right' : 'left';
}

/** Parts from left to right, with blanks inserted at gaps. */
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

/** Moves signs that surround right-to-left words to one side, because the PDF library reversed them with the word. */
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
 * A long number left of a right-to-left word is read directly after it, before a left-to-right word: UAX 9 displays
 * both orders alike.
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

/** Signs between parts of one direction take that direction, others the base direction. */
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

/** Fonts store mirrored brackets as displayed; unbalanced ones are mirrored back. */
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

/** Number of unpaired brackets. */
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
