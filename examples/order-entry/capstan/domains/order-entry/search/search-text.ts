import { kanaToRomaji } from './kana-to-romaji.ts';

/**
 * Folds a name or query for comparison, regardless of width, case, accents, kana, plural endings and punctuation. The result
 * has only `a-z`, `0-9` and single spaces, since pg_trgm classifies other characters by the locale of the database. Each
 * ideograph becomes a word of four letters, so that it is found within compounds.
 */
export function toSearchText(text: string): string {
  return kanaToRomaji(text.normalize('NFKC').toLowerCase())
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/gu, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{ASCII}]/gu, (character) =>
      /[\p{L}\p{N}]/u.test(character) ? ` ${lettersOf(character)} ` : ' ',
    )
    .replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/g, ' ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(foldPlural)
    .join(' ');
}

/**
 * Folds an item number for comparison, regardless of width, case, separators, and letters that are easily misread as digits
 * (O as 0, I and L as 1).
 */
export function toSearchCode(itemNum: string): string {
  return itemNum
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
}

function foldPlural(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  return word
    .replace(/ies?$/, 'y')
    .replace(/(o|x|ch|sh|ss)es$/, '$1')
    .replace(/(?<![su])s$/, '');
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORDS_OF_FOUR = 26 ** 4;
/** Coprime to 26, so that every code point below {@link WORDS_OF_FOUR} has its own word, and neighbours differ clearly. */
const SPREAD = 101_483;

function lettersOf(character: string): string {
  let rest = ((character.codePointAt(0) ?? 0) * SPREAD) % WORDS_OF_FOUR;
  let word = '';
  for (let place = 0; place < 4; place += 1) {
    word += LETTERS.charAt(rest % 26);
    rest = Math.floor(rest / 26);
  }
  return word;
}
