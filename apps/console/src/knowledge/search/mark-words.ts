/** A part of a text, which is a word of the question or not. */
export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

const MAX_WORDS = 50;
const MIN_LENGTH = 2;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that write no blanks between words: two characters side by side count as a word, as in a search. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Words of a question that can be looked for in a text, each once, in lower case. Pure. */
export function wordsOf(question: string): string[] {
  const words = (question.toLowerCase().match(WORD) ?? []).flatMap((word) =>
    UNSPACED.test(word) ? pairsOf(word) : [word],
  );
  return [...new Set(words.filter((word) => word.length >= MIN_LENGTH))].slice(0, MAX_WORDS);
}

/** Splits a text where words of the question stand as whole words; all parts together are the text. Pure. */
export function markWords(text: string, words: readonly string[]): TextPart[] {
  if (words.length === 0) return [{ text, isMarked: false }];
  // Words consist of letters and digits alone, so none of them is a sign of the pattern.
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const whole = longestFirst.filter((word) => !UNSPACED.test(word)).join('|');
  const inside = longestFirst.filter((word) => UNSPACED.test(word)).join('|');
  const patterns = [
    whole === '' ? null : `(?<![\\p{L}\\p{M}\\p{N}])(?:${whole})(?![\\p{L}\\p{M}\\p{N}])`,
    inside === '' ? null : `(?:${inside})`,
  ];
  const pattern = new RegExp(`(${patterns.filter((each) => each !== null).join('|')})`, 'giu');
  // A split by one group has the marked parts at the odd places.
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

/** Words of the question that a text has, in the order of the question. Pure. */
export function foundWords(text: string, words: readonly string[]): string[] {
  const marked = new Set(
    markWords(text, words)
      .filter(({ isMarked }) => isMarked)
      .map((part) => part.text.toLowerCase()),
  );
  return words.filter((word) => marked.has(word));
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(0, -1).map((character, index) => `${character}${characters[index + 1] ?? ''}`);
}
