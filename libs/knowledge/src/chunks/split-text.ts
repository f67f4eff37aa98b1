import type { CountTokens } from '../ports/token-counter.js';

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Splits a text into parts of at most `most` tokens: lines if needed, then sentences, words and finally characters. The
 * parts joined are the text. Only a single character may exceed the limit. Lazy.
 */
export function splitText(text: string, most: number, count: CountTokens): Iterable<string> {
  return splitBy(SPLITTERS, text, most, count);
}

type Splitter = (text: string) => Iterable<string>;

/** From coarse to fine. */
const SPLITTERS: readonly Splitter[] = [
  (text) => text.split(/(?<=\n)/),
  (text) => segmentsOf(sentences, text),
  (text) => segmentsOf(words, text),
  (text) => text,
];

function* segmentsOf(segmenter: Intl.Segmenter, text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function* splitBy(
  [splitter, ...finer]: readonly Splitter[],
  text: string,
  most: number,
  count: CountTokens,
): Generator<string> {
  if (splitter === undefined || count(text) <= most) {
    yield text;
    return;
  }
  // Words and characters are joined again, because single ones would be too many parts.
  const isFine = finer.length < 2;
  const parts = partsOf(splitter(text), (part) => splitBy(finer, part, most, count));
  yield* isFine ? joinUpTo(parts, most, count) : parts;
}

function* partsOf(coarse: Iterable<string>, split: (part: string) => Iterable<string>): Generator<string> {
  for (const part of coarse) yield* split(part);
}

/**
 * Joins parts while the sum of their tokens fits. In the rare case that the joined text has more tokens than the sum,
 * the parts stay separate.
 */
function* joinUpTo(parts: Iterable<string>, most: number, count: CountTokens): Generator<string> {
  let group: string[] = [];
  let room = most;
  for (const part of parts) {
    const tokens = count(part);
    if (tokens > room) {
      yield* joined(group, most, count);
      group = [];
      room = most;
    }
    group.push(part);
    room -= tokens;
  }
  yield* joined(group, most, count);
}

function joined(group: readonly string[], most: number, count: CountTokens): readonly string[] {
  const text = group.join('');
  if (text === '') return [];
  return count(text) <= most ? [text] : group;
}
