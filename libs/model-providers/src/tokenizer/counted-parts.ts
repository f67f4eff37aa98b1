/** Characters that are counted of one text: counting blocks the process. */
export const MAX_COUNTED_CHARS = 20_000;

/** Characters of a part: what a tokenizer does with a run of letters costs as the square of its length. */
const PART_CHARS = 500;

const MAX_PARTS = MAX_COUNTED_CHARS / PART_CHARS;

/** The parts of a text whose tokens are counted. Their sum times `scale` is the count of the whole. */
export interface CountedParts {
  readonly parts: readonly string[];
  readonly scale: number;
}

/**
 * All of a text with up to {@link MAX_COUNTED_CHARS} characters, in parts. A longer one is sampled at equal distances, since
 * its beginning may be of another kind than the rest.
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

/** Cut before a blank, tokenizers find the same words; only runs longer than any word are cut inside. */
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
