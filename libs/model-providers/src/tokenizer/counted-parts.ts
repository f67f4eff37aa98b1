/** Maximum characters counted per text, because counting blocks the process. */
export const MAX_COUNTED_CHARS = 20_000;

/** Characters per part: tokenizing a run of letters takes quadratic time. */
const PART_CHARS = 500;

const MAX_PARTS = MAX_COUNTED_CHARS / PART_CHARS;

/** Parts of a text to be tokenized; the sum of their tokens times `scale` estimates the whole text. */
export interface CountedParts {
  readonly parts: readonly string[];
  readonly scale: number;
}

/**
 * All parts of a text with up to {@link MAX_COUNTED_CHARS} characters. Longer texts are sampled at equal distances,
 * because their beginning may differ in kind from the rest.
 */
export function countedParts(text: string): CountedParts {
  if (text.length <= MAX_COUNTED_CHARS) return { parts: partsOf(text), scale: 1 };
  const distance = (text.length - PART_CHARS) / (MAX_PARTS - 1);
  const parts = Array.from({ length: MAX_PARTS }, (_, at) => {
    const from = Math.floor(at * distance);
    return text.slice(from, from + PART_CHARS);
  });
  return { parts, scale: text.length / MAX_COUNTED_CHARS };
}

/** Splits before blanks, which keeps words intact; only runs longer than a part are split inside. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const most = at + PART_CHARS;
    const blank = most < text.length ? text.lastIndexOf(' ', most) : -1;
    const end = blank > at ? blank : most;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
