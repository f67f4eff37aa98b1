import type { Database } from 'capstan/kit';
import { z } from 'zod';
import { STOCK_UOMS } from '../order-draft/uom.ts';
import type { StockUom } from '../order-draft/uom.ts';
import { candidateIdsSql, MAX_CANDIDATES } from './candidate-sql.ts';
import { codeNearness } from './code-nearness.ts';
import { nearness } from './nearness.ts';
import { rankMatches } from './rank-matches.ts';
import type { SearchRequest } from './rank-matches.ts';
import { toSearchQuery } from './search-query.ts';
import type { SearchQuery } from './search-query.ts';

/** An item matching a query. `score` is 0 to 1; 1 is the exact item number, name or alias. */
export type ItemMatch = {
  readonly item_num: string;
  readonly name: string;
  readonly pack_size: string;
  readonly uom: StockUom;
  readonly score: number;
};

const itemCandidateSchema = z.object({
  item_num: z.string(),
  name: z.string(),
  pack_size: z.string(),
  uom: z.enum(STOCK_UOMS),
  search_code: z.string(),
  search_pack: z.string(),
  texts: z.array(z.string()),
});
type ItemCandidate = z.infer<typeof itemCandidateSchema>;

/** Planned anew: a trigram index is read by bitmap scans only, which kept plans avoid. */
const CANDIDATES_SQL = `/* planned anew */
WITH candidate AS (
  ${candidateIdsSql('order_entry.catalogue_item', 'id', 'search_name')}
  UNION ${candidateIdsSql('order_entry.catalogue_item', 'id', 'search_name_ja')}
  UNION ${candidateIdsSql('order_entry.item_alias', 'item_id', 'search_alias')}
  UNION SELECT id FROM order_entry.catalogue_item WHERE tenant_id = $1 AND search_code = ANY($4)
  UNION SELECT id FROM order_entry.catalogue_item WHERE tenant_id = $1 AND search_code LIKE '%' || $5 || '%'
), known_text AS (
  SELECT item.id, text FROM candidate JOIN order_entry.catalogue_item item USING (id)
  CROSS JOIN LATERAL (VALUES (search_name), (search_name_ja)) AS texts (text)
  UNION ALL
  SELECT item_id, search_alias FROM candidate JOIN order_entry.item_alias ON tenant_id = $1 AND item_id = candidate.id
), known AS (
  SELECT id, array_agg(text) AS texts, max(word_similarity($2, text)) AS likeness FROM known_text GROUP BY id
)
SELECT item_num, name, pack_size, uom, search_code, search_pack, texts
FROM known JOIN order_entry.catalogue_item USING (id)
ORDER BY coalesce(search_code LIKE '%' || $5 || '%', false) DESC, likeness DESC, item_num LIMIT ${MAX_CANDIDATES}`;

/** The tenant's items matching the query, best first. */
export async function searchItems(database: Database, request: SearchRequest): Promise<ItemMatch[]> {
  const query = toSearchQuery(request.query);
  const parameters = [request.tenantId, query.text, query.words, query.codes, query.partialCode];
  const rows = await database.query(CANDIDATES_SQL, parameters);
  const candidates = z.array(itemCandidateSchema).parse(rows);
  return rankMatches(
    candidates.map((candidate) => toMatch(query, candidate)),
    request.limit,
    ({ item_num }) => item_num,
  );
}

function toMatch(query: SearchQuery, candidate: ItemCandidate): ItemMatch {
  const { item_num, name, pack_size, uom, search_code, search_pack, texts } = candidate;
  const known = texts.flatMap((text) => [text, `${text} ${search_pack}`]);
  const scores = known.map((text) => nearness(query.text, text));
  return { item_num, name, pack_size, uom, score: Math.max(codeNearness(query, search_code), ...scores) };
}
