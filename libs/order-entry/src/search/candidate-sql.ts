/**
 * SQL that is true where a folded text is like the query or holds something like one of its words, by pg_trgm and
 * served by its indexes. Generous on purpose: `nearness` judges afterwards. `words` is a text[] parameter.
 */
export function candidateSql(text: string, query: string, words: string): string {
  return `(${text} % ${query} or ${text} %> any(${words}))`;
}

/** So many candidates, the most alike by pg_trgm, are judged by `nearness`. */
export const MOST_CANDIDATES = 200;
