import { createHash } from 'node:crypto';
import pg from 'pg';

/** One index holds the vectors of one model and length. */
export interface IndexedSpace {
  readonly model: string;
  readonly dimensions: number;
}

/** Links of each node, and candidates at its insertion: the defaults of pgvector. */
const BUILD = 'm = 16, ef_construction = 64';

/** The index of a space: an expression, since the column holds vectors of every length. */
export function createIndexSql(space: IndexedSpace): string {
  const { dimensions } = space;
  return `CREATE INDEX IF NOT EXISTS ${nameOf(space)} ON embedding_half
    USING hnsw ((half::halfvec(${dimensions})) halfvec_ip_ops) WITH (${BUILD}) WHERE ${isOf(space)}`;
}

/**
 * The condition of the index. A search repeats it with the same literals: with parameters in their place PostgreSQL could
 * not see that the index applies.
 */
function isOf({ model, dimensions }: IndexedSpace): string {
  return `model = ${pg.escapeLiteral(model)} AND dimensions = ${dimensions}`;
}

function nameOf({ model, dimensions }: IndexedSpace): string {
  const digest = createHash('sha256').update(model).digest('hex').slice(0, 16);
  return `embedding_half_${dimensions}_${digest}_idx`;
}

/** Spaces with at least $1 vectors that no index has, or with any of them where there is an index. */
export const UNINDEXED_SPACES_SQL = `
  SELECT model, dimensions FROM embedding WHERE NOT is_indexed GROUP BY model, dimensions
  HAVING count(*) >= $1::int OR EXISTS (
    SELECT 1 FROM vector_index known WHERE known.model = embedding.model AND known.dimensions = embedding.dimensions)
   ORDER BY model, dimensions`;

/** Answers a row where the space is new. Another transaction that makes the same one waits. */
export const ADD_SPACE_SQL = `
  INSERT INTO vector_index (model, dimensions) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING model`;

/** $3 vectors of the space $1, $2 that no index has, and that no other transaction is indexing. */
export const TAKE_UNINDEXED_SQL = `
  SELECT tenant_id AS "tenantId", llm_id AS "llmId", content_hash AS "contentHash", vector FROM embedding
   WHERE NOT is_indexed AND model = $1 AND dimensions = $2 LIMIT $3 FOR UPDATE SKIP LOCKED`;

/** $1 and $2: the space. $3 to $5: the keys of the vectors. $6: the vectors. */
export const INDEX_SQL = `
  WITH given AS (
    SELECT * FROM unnest($3::text[], $4::int[], $5::bytea[], $6::text[]) AS given (tenant_id, llm_id, content_hash, half)
  ), added AS (
    INSERT INTO embedding_half (tenant_id, llm_id, model, dimensions, content_hash, half)
    SELECT tenant_id, llm_id, $1, $2::int, content_hash, half::halfvec FROM given
    ON CONFLICT DO NOTHING RETURNING 1
  ), noted AS (
    UPDATE embedding SET is_indexed = true FROM given
     WHERE embedding.tenant_id = given.tenant_id AND embedding.llm_id = given.llm_id AND embedding.model = $1
       AND embedding.dimensions = $2::int AND embedding.content_hash = given.content_hash
  )
  UPDATE vector_index SET vectors = vectors + (SELECT count(*) FROM added)
   WHERE model = $1 AND dimensions = $2::int RETURNING model`;

/** Live chunks of the datasources $2 in the space $3 to $5, and vectors of its index; null without an index. */
export const SIZES_SQL = `
  SELECT coalesce(sum(live.chunk_count), 0)::float8 AS chunks,
         (SELECT vectors::float8 FROM vector_index WHERE model = $4 AND dimensions = $5) AS vectors
    FROM document
    JOIN datasource ON datasource.id = document.datasource_id AND datasource.tenant_id = document.tenant_id
    JOIN document_ingestion live ON live.document_id = document.id AND live.generation = document.live_generation
   WHERE document.tenant_id = $1 AND document.datasource_id = ANY($2::int[]) AND datasource.llm_id = $3
     AND datasource.embed_model = $4 AND datasource.dimensions = $5`;

/** Live chunks of the datasources $5 with vectors of the space $1 to $4 that no index has yet: $6 at most. */
export const BEHIND_SQL = `
  SELECT chunk.id::float8 AS "chunkId", embedding.vector
    FROM embedding
    JOIN chunk ON chunk.tenant_id = embedding.tenant_id AND chunk.content_hash = embedding.content_hash
     AND chunk.datasource_id = ANY($5::int[])
    JOIN document ON document.id = chunk.document_id AND document.live_generation = chunk.generation
   WHERE NOT embedding.is_indexed AND embedding.tenant_id = $1 AND embedding.llm_id = $2 AND embedding.model = $3
     AND embedding.dimensions = $4
   LIMIT $6`;

/**
 * Settings of this transaction: how far the graph is searched ($1), that it is searched on until enough vectors pass the
 * filters, up to $2 vectors, and that the plan uses the order of the index in place of a sort.
 */
export const SCAN_SETTINGS_SQL = `
  SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.max_scan_tuples', $2, true),
         set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('enable_sort', 'off', true)`;

/** The live chunks of the tenant $2, model configuration $3 and datasources $4 that are nearest to $1, about in order. */
export function scanSql(space: IndexedSpace, limit: number): string {
  const type = `halfvec(${space.dimensions})`;
  const distance = `near.half::${type} <#> $1::${type}`;
  return `SELECT chunk.id::float8 AS "chunkId", -(${distance}) AS similarity
    FROM (SELECT * FROM embedding_half WHERE ${isOf(space)}) AS near
    JOIN chunk ON chunk.tenant_id = near.tenant_id AND chunk.content_hash = near.content_hash
     AND chunk.datasource_id = ANY($4::int[])
    JOIN document ON document.id = chunk.document_id AND document.live_generation = chunk.generation
   WHERE near.tenant_id = $2 AND near.llm_id = $3
   ORDER BY ${distance} LIMIT ${limit}`;
}
