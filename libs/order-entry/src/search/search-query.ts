import { toSearchCode, toSearchText } from './search-text.js';

/** What a search looks for, folded; every field holds only letters, digits and spaces, safe inside LIKE patterns. */
export interface SearchQuery {
  /** The whole query as `toSearchText` folds it; may be empty. */
  readonly text: string;
  /** The words of {@link text} that mean something: no single letters, and no numbers unless there is nothing else. */
  readonly words: readonly string[];
  /** Words of the query that may be whole item numbers. */
  readonly codes: readonly string[];
  /** The whole query when it looks like an item number or a piece of one, else null. */
  readonly partialCode: string | null;
}

const SHORTEST_CODE = 3;
const SHORTEST_MEANINGFUL_WORD = 2;

/** Prepares what a person or a model typed into a search (S2-9). */
export function toSearchQuery(query: string): SearchQuery {
  const text = toSearchText(query);
  const words = [...new Set(text.split(' '))].filter((word) => word !== '');
  const meaningful = words.filter((word) => word.length >= SHORTEST_MEANINGFUL_WORD && !/^\d+$/.test(word));
  const codes = query.normalize('NFKC').split(/\s+/u).map(codeOf);
  return {
    text,
    words: meaningful.length > 0 ? meaningful : words,
    codes: [...new Set(codes.filter((code) => code !== null))],
    partialCode: codeOf(query),
  };
}

/** Names have no digits worth matching as a code; item numbers always have. */
function codeOf(text: string): string | null {
  const hasDigit = /\d/.test(text.normalize('NFKC'));
  const code = toSearchCode(text);
  return hasDigit && code.length >= SHORTEST_CODE ? code : null;
}
