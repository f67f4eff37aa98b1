import { RIGHT_TO_LEFT, type PageItem } from './page-item.js';

type Direction = 'left' | 'right';

interface Part {
  readonly text: string;
  /** Null for signs and blanks, which follow their neighbours. */
  readonly direction: Direction | null;
}

/** A gap of this part of the height of the letters is a blank. */
const BLANK_GAP = 0.15;
const MIRRORED: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '«': '»', '»': '«', '<': '>', '>': '<' },
};

/**
 * Pure: the items of one line as people read and type them. A file has letters in the order of their places; words from
 * right to left are put into theirs, between words and numbers from left to right (the reverse of UAX 9, rule L2).
 */
export function lineText(items: readonly PageItem[]): string {
  const all = items.map(({ str }) => str).join('');
  if (!RIGHT_TO_LEFT.test(all) || !items.every(isUpright)) return all;
  const base = countOf(all, /\p{L}/gu, true) * 2 >= countOf(all, /\p{L}/gu, false) ? 'right' : 'left';
  const parts = withDirections(partsOf(items), base);
  const runs = runsOf(parts).map((run) => (run[0]?.direction === 'right' ? run.toReversed() : run));
  return textOf(base === 'right' ? runs.toReversed() : runs);
}

function isUpright({ transform }: PageItem): boolean {
  return transform[1] === 0 && (transform[0] ?? 0) > 0;
}

function countOf(text: string, letters: RegExp, fromRight: boolean): number {
  const found = text.match(letters) ?? [];
  return fromRight ? found.filter((letter) => RIGHT_TO_LEFT.test(letter)).length : found.length;
}

/** From left to right, with a blank wherever there is room for one. */
function partsOf(items: readonly PageItem[]): readonly Part[] {
  const placed = items.filter(({ str }) => str !== '').toSorted((a, b) => leftOf(a) - leftOf(b));
  return placed.flatMap((item, index) => {
    const part = { text: item.str, direction: directionOf(item.str) };
    const before = placed[index - 1];
    if (before === undefined || isBlank(before.str) || isBlank(item.str)) return [part];
    const gap = leftOf(item) - (leftOf(before) + before.width);
    return gap > item.height * BLANK_GAP ? [{ text: ' ', direction: null }, part] : [part];
  });
}

function leftOf({ transform }: PageItem): number {
  return transform[4] ?? 0;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function directionOf(text: string): Direction | null {
  if (RIGHT_TO_LEFT.test(text)) return 'right';
  return /[\p{L}\p{N}]/u.test(text) ? 'left' : null;
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
