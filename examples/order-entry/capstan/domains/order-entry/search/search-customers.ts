import type { Database } from 'capstan/kit';
import { z } from 'zod';
import { candidateIdsSql, MAX_CANDIDATES } from './candidate-sql.ts';
import { nearness } from './nearness.ts';
import { rankMatches } from './rank-matches.ts';
import type { SearchRequest } from './rank-matches.ts';
import { toSearchQuery } from './search-query.ts';

/** A customer matching a query. `score` is 0 to 1; 1 is the exact name, account number or e-mail address. */
export type CustomerMatch = {
  readonly account_number: number;
  readonly name: string;
  readonly score: number;
};

const customerCandidateSchema = z.object({
  account_number: z.number().int(),
  name: z.string(),
  search_name: z.string(),
  search_name_ja: z.string(),
  has_key: z.boolean(),
});

/** Planned anew: a trigram index is read by bitmap scans only, which kept plans avoid. */
const CANDIDATES_SQL = `/* planned anew */
WITH candidate AS (
  ${candidateIdsSql('order_entry.customer', 'id', 'search_name')}
  UNION ${candidateIdsSql('order_entry.customer', 'id', 'search_name_ja')}
), known AS (
  SELECT *, account_number::text = ANY($4) OR coalesce(lower(email) = ANY($4), false) AS has_key
  FROM order_entry.customer WHERE tenant_id = $1
)
SELECT account_number, name, search_name, search_name_ja, has_key FROM known
WHERE has_key OR id IN (SELECT id FROM candidate)
ORDER BY has_key DESC,
  greatest(word_similarity($2, search_name), word_similarity($2, search_name_ja)) DESC, account_number
LIMIT ${MAX_CANDIDATES}`;

/** The tenant's customers matching a name, an account number or an e-mail address, best first. */
export async function searchCustomers(database: Database, request: SearchRequest): Promise<CustomerMatch[]> {
  const { text, words } = toSearchQuery(request.query);
  const parameters = [request.tenantId, text, words, keysOf(request.query)];
  const rows = await database.query(CANDIDATES_SQL, parameters);
  const candidates = z.array(customerCandidateSchema).parse(rows);
  const matches = candidates.map(({ account_number, name, search_name, search_name_ja, has_key }) => ({
    account_number,
    name,
    score: has_key ? 1 : Math.max(nearness(text, search_name), nearness(text, search_name_ja)),
  }));
  return rankMatches(matches, request.limit, (match) => match.name);
}

/** Words of the query that may be an account number or an e-mail address. */
function keysOf(query: string): string[] {
  const words = query
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^a-z0-9@._+-]+/);
  return words.map((word) => word.replace(/^[.-]+|[.-]+$/g, '')).filter((word) => /^\d+$|@/.test(word));
}
