import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { STOCK_UOMS } from '../order-draft/uom.js';
import type { StockUom } from '../order-draft/uom.js';
import { candidateIdsSql, MOST_CANDIDATES } from './candidate-sql.js';
import { codeNearness } from './code-nearness.js';
import { nearness } from './nearness.js';
import { rankMatches } from './rank-matches.js';
import type { SearchRequest } from './rank-matches.js';
import { toSearchQuery } from './search-query.js';
import type { SearchQuery } from './search-query.js';

/** An item near to a query. `score` is 0..1: 1 is the exact item number, name or alias. */
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

const CANDIDATES_SQL = `
with candidate as (
  ${candidateIdsSql('catalogue_item', 'id', 'search_name')}
  union ${candidateIdsSql('catalogue_item', 'id', 'search_name_ja')}
  union ${candidateIdsSql('item_alias', 'item_id', 'search_alias')}
  union select id from catalogue_item where tenant_id = $1 and search_code = any($4)
  union select id from catalogue_item where tenant_id = $1 and search_code like '%' || $5 || '%'
), known_text as (
  select item.id, text from candidate join catalogue_item item using (id)
  cross join lateral (values (search_name), (search_name_ja)) as texts (text)
  union all
  select item_id, search_alias from candidate join item_alias on tenant_id = $1 and item_id = candidate.id
), known as (
  select id, array_agg(text) as texts, max(word_similarity($2, text)) as likeness from known_text group by id
)
select item_num, name, pack_size, uom, search_code, search_pack, texts
from known join catalogue_item using (id)
order by coalesce(search_code like '%' || $5 || '%', false) desc, likeness desc, item_num limit ${MOST_CANDIDATES}`;

/** The tenant's items near to the query, best first (S2-9). */
export async function searchItems(manager: EntityManager, request: SearchRequest): Promise<ItemMatch[]> {
  const query = toSearchQuery(request.query);
  const parameters = [request.tenantId, query.text, query.words, query.codes, query.partialCode];
  const rows: unknown = await manager.query(CANDIDATES_SQL, parameters);
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
