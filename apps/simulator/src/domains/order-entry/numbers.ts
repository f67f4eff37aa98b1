const WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  half: 0.5,
  'half a': 0.5,
  'a half': 0.5,
  'a couple of': 2,
  'a couple': 2,
};

const KANJI_DIGITS = '〇一二三四五六七八九';

/** Digits: `3`, `1,200`, `2.5`, `1/2`, `1 1/2`. */
export const DIGITS = String.raw`(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s+\d\/\d)?(?!\/\d)|\d\/\d)`;

/** English number words, longest first. */
export const NUMBER_WORDS = Object.keys(WORDS)
  .toSorted((a, b) => b.length - a.length)
  .map((word) => word.replaceAll(' ', String.raw`\s+`))
  .join('|');

export const KANJI_NUMBER = '[一二三四五六七八九十百]+';

/** Parses a match of {@link DIGITS}, {@link NUMBER_WORDS} or {@link KANJI_NUMBER}; null for other text. */
export function readNumber(written: string): number | null {
  const text = written.trim().toLowerCase().replace(/\s+/g, ' ');
  const word = WORDS[text];
  if (word !== undefined) return word;
  if (/^[一二三四五六七八九十百]+$/u.test(text)) return readKanji(text);
  const mixed = /^(?:(\d[\d,]*(?:\.\d+)?))?\s*(?:(\d)\/(\d))?$/.exec(text);
  if (mixed === null || text === '') return null;
  const whole = Number((mixed[1] ?? '0').replaceAll(',', ''));
  const fraction = mixed[2] === undefined ? 0 : Number(mixed[2]) / Number(mixed[3]);
  return Number.isFinite(whole + fraction) ? whole + fraction : null;
}

/** Parses numbers up to 999, e.g. 十二, 二十, 百五. */
function readKanji(text: string): number {
  let [total, digit] = [0, 0];
  for (const character of text) {
    const base = character === '百' ? 100 : character === '十' ? 10 : 0;
    if (base === 0) digit = KANJI_DIGITS.indexOf(character);
    else {
      total += (digit === 0 ? 1 : digit) * base;
      digit = 0;
    }
  }
  return total + digit;
}
