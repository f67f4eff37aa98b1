import { PLANNED_ANEW } from '../plan-settings.js';

/**
 * Limit of chunks that are ranked. If the words of a question match more, the commonest words are left out. If the others
 * still match more, the chunks found first are ranked.
 */
const MAX_MATCHES = 5_000;

/** The fraction of all chunks that each of the commonest words is in, as PostgreSQL sampled it. Two bounds end the list. */
const COMMON_WORDS_SQL = `
  SELECT unnest(most_common_elems::text::text[]) AS lexeme, unnest(most_common_elem_freqs) AS frequency
    FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'chunk' AND attname = 'search'`;

/**
 * The question $3 becomes an OR of its words, each quoted, so that no text is an operator. Stop words of English are left
 * out. A word that is in many chunks finds none where rarer words do, but counts in the ranking.
 */
export const MATCHING_SQL = `${PLANNED_ANEW}
  WITH word AS (
    SELECT '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' AS quoted,
           row_number() OVER rarest_first AS place,
           sum(COALESCE(frequency, 0)) OVER rarest_first AS frequency
      FROM (SELECT lexeme FROM unnest(to_tsvector('simple', $3))
             WHERE ts_lexize('english_stem', lexeme) IS DISTINCT FROM '{}' LIMIT 64) AS asked
      LEFT JOIN (${COMMON_WORDS_SQL}) AS common USING (lexeme)
    WINDOW rarest_first AS (ORDER BY COALESCE(frequency, 0), lexeme)
  ), asked AS (
    SELECT string_agg(quoted, ' | ')::tsquery AS words,
           string_agg(quoted, ' | ') FILTER (
             WHERE place = 1 OR frequency * (SELECT reltuples FROM pg_class WHERE oid = 'chunk'::regclass) <= ${MAX_MATCHES}
           )::tsquery AS finding
      FROM word
  ), found AS MATERIALIZED (
    SELECT chunk.id, chunk.search
      FROM asked
      JOIN chunk ON chunk.search @@ asked.finding
      JOIN document ON document.id = chunk.document_id AND document.live_generation = chunk.generation
     WHERE chunk.tenant_id = $1 AND chunk.datasource_id = ANY($2::int[])
     LIMIT ${MAX_MATCHES}
  )
  SELECT found.id::float8 AS "chunkId" FROM found, asked
   ORDER BY ts_rank(found.search, asked.words) DESC, found.id LIMIT $4`;
