/**
 * SQL for ids of rows with folded text similar to the query or to one of its words, by pg_trgm. It is generous, since
 * `nearness` ranks the candidates. Parameters: $1 tenant, $2 query, $3 words (text[]). A union, because with `or` the
 * planner does not use the trigram index.
 */
export function candidateIdsSql(table: string, id: string, text: string): string {
  return `SELECT ${id} FROM ${table} WHERE tenant_id = $1 AND ${text} % $2
  UNION SELECT ${id} FROM ${table} WHERE tenant_id = $1 AND ${text} %> ANY($3)`;
}

/** Maximum candidates that `nearness` ranks, the most similar by pg_trgm. */
export const MAX_CANDIDATES = 200;
