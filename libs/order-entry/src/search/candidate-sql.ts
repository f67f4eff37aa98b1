/**
 * SQL for the ids of the rows whose folded text is like the query or holds something like one of its words, by pg_trgm.
 * Generous on purpose: `nearness` judges afterwards. Parameters: $1 tenant, $2 query, $3 its words (text[]). A union
 * of two and not one condition with `or`, because only so the planner uses the trigram index.
 */
export function candidateIdsSql(table: string, id: string, text: string): string {
  return `SELECT ${id} FROM ${table} WHERE tenant_id = $1 AND ${text} % $2
  UNION SELECT ${id} FROM ${table} WHERE tenant_id = $1 AND ${text} %> ANY($3)`;
}

/** So many candidates, the most alike by pg_trgm, are judged by `nearness`. */
export const MOST_CANDIDATES = 200;
