import { toSearchCode, toSearchText } from './search-text.ts';

/** A folded search query; its fields contain only letters, digits and spaces, so they are safe in LIKE patterns. */
export interface SearchQuery {
  /** The whole query folded by `toSearchText`; may be empty. */
  readonly text: string;
  /** Significant words of {@link text}: no single letters, and numbers only if there is nothing else. */
  readonly words: readonly string[];
  /** Words of the query that may be whole item numbers. */
  readonly codes: readonly string[];
  /** The whole query if it looks like an item number or a part of one, else null. */
  readonly partialCode: string | null;
}

const MIN_CODE = 3;
const MIN_MEANINGFUL_WORD = 2;

/** Prepares a query of a person or a model. */
export function toSearchQuery(query: string): SearchQuery {
  const text = toSearchText(query);
  const words = [...new Set(text.split(' '))].filter((word) => word !== '');
  const meaningful = words.filter((word) => word.length >= MIN_MEANINGFUL_WORD && !/^\d+$/.test(word));
  const codes = query.normalize('NFKC').split(/\s+/u).map(codeOf);
  return {
    text,
    words: meaningful.length > 0 ? meaningful : words,
    codes: [...new Set(codes.filter((code) => code !== null))],
    partialCode: codeOf(query),
  };
}

/** Only words with a digit can be codes, since all item numbers have digits. */
function codeOf(text: string): string | null {
  const hasDigit = /\d/.test(text.normalize('NFKC'));
  const code = toSearchCode(text);
  return hasDigit && code.length >= MIN_CODE ? code : null;
}
