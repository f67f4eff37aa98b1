import type { CountTokens } from '../ports/token-counter.js';

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The parts of a text, none of which has more than `most` tokens: the text itself, else its lines, its sentences, its words,
 * and at last its characters. Put together they are the text. Only a single character may be longer than allowed.
 */
export function splitText(text: string, most: number, count: CountTokens): readonly string[] {
  return splitBy(SPLITTERS, text, most, count);
}

type Splitter = (text: string) => readonly string[];

/** From coarse to fine. */
const SPLITTERS: readonly Splitter[] = [
  (text) => text.split(/(?<=\n)/),
  (text) => [...sentences.segment(text)].map(({ segment }) => segment),
  (text) => [...words.segment(text)].map(({ segment }) => segment),
  (text) => [...text],
];

function splitBy(
  [splitter, ...finer]: readonly Splitter[],
  text: string,
  most: number,
  count: CountTokens,
): readonly string[] {
  if (splitter === undefined || count(text) <= most) return [text];
  const parts = splitter(text).flatMap((part) => splitBy(finer, part, most, count));
  // Words and characters by themselves would be too many.
  return finer.length < 2 ? joinUpTo(parts, most, count) : parts;
}

/** Adds up what the parts have by themselves. Where they have more together, which is rare, they stay by themselves. */
function joinUpTo(parts: readonly string[], most: number, count: CountTokens): readonly string[] {
  const groups: string[][] = [];
  let room = 0;
  for (const part of parts) {
    const tokens = count(part);
    if (tokens > room) {
      groups.push([]);
      room = most;
    }
    groups.at(-1)?.push(part);
    room -= tokens;
  }
  return groups.flatMap((group) => {
    const text = group.join('');
    return count(text) <= most ? [text] : group;
  });
}
