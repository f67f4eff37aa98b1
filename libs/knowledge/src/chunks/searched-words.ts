/** Scripts that write no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/**
 * Pure: a text as its words are searched. What is written without spaces becomes pairs of neighbouring characters, since
 * nobody here knows its words: 検索機能 is found by 検索 and by 機能, as 検索 索機 機能.
 */
export function toSearchedWords(text: string): string {
  return text.replace(UNSPACED, (run) => ` ${pairsOf([...run]).join(' ')} `);
}

function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
