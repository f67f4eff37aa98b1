/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
/** Line break within such a script, where lines may end in the middle of a word. */
const LINE_END =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[ \t]?\n[ \t]?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])/gu;
/** Optional vowels and other points of Arabic and Hebrew, and the Arabic lengthening stroke. */
const POINTS =
  /(?:[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]|\u0640)+/g;
/** Arabic letters that are typed interchangeably: forms of alef, yeh, kaf and heh. */
const ALIKE: readonly (readonly [forms: RegExp, typed: string])[] = [
  [/[\u0622\u0623\u0625\u0671]/g, '\u0627'],
  [/[\u0649\u06cc]/g, '\u064a'],
  [/\u06a9/g, '\u0643'],
  [/\u0629/g, '\u0647'],
];
const ARABIC = /[\u0600-\u06ff]/;

/**
 * Normalises a text for full-text search. Text without spaces becomes overlapping pairs of characters, since its words
 * are unknown: 検索機能 becomes 検索 索機 機能, so that both 検索 and 機能 find it. Full-width characters, and variants of Arabic and
 * Hebrew letters, become their typed forms. Pure.
 */
export function toSearchedWords(text: string): string {
  return asOneTypes(text.normalize('NFKC'))
    .replace(LINE_END, '')
    .replace(UNSPACED, (run) => ` ${pairsOf([...run]).join(' ')} `);
}

function asOneTypes(given: string): string {
  const plain = given.replace(POINTS, '');
  if (!ARABIC.test(plain)) return plain;
  return ALIKE.reduce((text, [forms, typed]) => text.replace(forms, typed), plain);
}

function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
