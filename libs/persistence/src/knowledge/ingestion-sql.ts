import type { ClaimedIngestion } from '#libs/knowledge';
import { insertUsageSql, updateUsageSql } from '../executions/usage-rows.js';

/** A generation is free if its job was not sent a short while ago, and no worker holds it. */
const IS_FREE = `(lease_expires_at IS NULL OR lease_expires_at < now())
  AND (dispatched_at IS NULL OR dispatched_at < now() - $3::int * interval '1 millisecond')`;

/** $1: limit of jobs in hand; $2: the same of one tenant; $3: milliseconds after which a job counts as lost. */
export const TAKE_INGESTIONS_SQL = `
  WITH busy AS (
    SELECT tenant_id, count(*) AS held FROM document_ingestion
     WHERE finished_at IS NULL AND NOT (${IS_FREE}) GROUP BY tenant_id
  ), due AS (
    SELECT id, due_at, coalesce(busy.held, 0) + row_number() OVER (PARTITION BY tenant_id ORDER BY due_at, id) AS place
      FROM document_ingestion LEFT JOIN busy USING (tenant_id)
     WHERE finished_at IS NULL AND due_at <= now() AND ${IS_FREE}
  ), chosen AS (
    SELECT id FROM due WHERE place <= $2::int ORDER BY place, due_at
     LIMIT greatest(0, $1::int - (SELECT coalesce(sum(held), 0) FROM busy))
  ), locked AS (
    SELECT id FROM document_ingestion WHERE id IN (SELECT id FROM chosen) AND ${IS_FREE} FOR UPDATE SKIP LOCKED
  )
  UPDATE document_ingestion SET dispatched_at = now() FROM locked WHERE document_ingestion.id = locked.id
  RETURNING document_ingestion.id`;

/** A claim that is found with an expired lease is lost. */
export const CLAIM_INGESTION_SQL = `
  WITH found AS (
    SELECT id, claim_token IS NOT NULL AS is_loss FROM document_ingestion
     WHERE id = $1 AND finished_at IS NULL AND due_at <= now() AND (lease_expires_at IS NULL OR lease_expires_at < now())
       FOR UPDATE
  ), claimed AS (
    UPDATE document_ingestion held
       SET claim_token = $2, lease_expires_at = now() + $3 * interval '1 millisecond', dispatched_at = NULL,
           losses = losses + is_loss::int
      FROM found WHERE held.id = found.id RETURNING held.*
  )
  SELECT claimed.*, document.title, document.datasource_id, datasource.llm_id, datasource.embed_model,
         datasource.dimensions, datasource.chunk_tokens, datasource.overlap_tokens
    FROM claimed
    JOIN document ON document.id = claimed.document_id
    JOIN datasource ON datasource.id = document.datasource_id`;

interface ClaimedRow {
  readonly id: string;
  readonly claim_token: string;
  readonly tenant_id: string;
  readonly datasource_id: number;
  readonly document_id: string;
  readonly generation: number;
  readonly title: string;
  readonly state: ClaimedIngestion['state'];
  readonly blob_key: string | null;
  readonly size_bytes: string | null;
  readonly content_hash: Buffer | null;
  readonly url: string | null;
  readonly file_name: string | null;
  readonly media_type: string | null;
  readonly tries: number;
  readonly losses: number;
  readonly llm_id: number;
  readonly embed_model: string;
  readonly dimensions: number;
  readonly chunk_tokens: number;
  readonly overlap_tokens: number;
}

export function readClaimed(row: ClaimedRow): ClaimedIngestion {
  const { blob_key: blobKey, content_hash: contentHash } = row;
  return {
    ...{
      ingestionId: row.id,
      token: row.claim_token,
      tenantId: row.tenant_id,
      datasourceId: row.datasource_id,
    },
    ...{ documentId: row.document_id, generation: row.generation, title: row.title, state: row.state },
    original:
      blobKey === null || contentHash === null
        ? null
        : { blobKey, sizeBytes: Number(row.size_bytes), contentHash },
    ...{ url: row.url, fileName: row.file_name, mediaType: row.media_type },
    ...{ tries: row.tries, losses: row.losses },
    settings: {
      ...{ llmId: row.llm_id, embedModel: row.embed_model, dimensions: row.dimensions },
      ...{ chunkTokens: row.chunk_tokens, overlapTokens: row.overlap_tokens },
    },
  };
}

/** $1 and $2: the fence; $3: the limit. Chunks with the same text are answered once. */
export const UNEMBEDDED_SQL = `
  SELECT content_hash AS "contentHash", headings, text, token_count AS tokens FROM (
    SELECT DISTINCT ON (chunk.content_hash) chunk.content_hash, chunk.headings, chunk.text, chunk.token_count, chunk.ordinal
      FROM document_ingestion held
      JOIN document ON document.id = held.document_id
      JOIN datasource ON datasource.id = document.datasource_id
      JOIN chunk ON chunk.document_id = held.document_id AND chunk.generation = held.generation
     WHERE held.id = $1 AND held.claim_token = $2
       AND NOT EXISTS (
         SELECT 1 FROM embedding
          WHERE embedding.tenant_id = held.tenant_id AND embedding.llm_id = datasource.llm_id
            AND embedding.model = datasource.embed_model AND embedding.dimensions = datasource.dimensions
            AND embedding.content_hash = chunk.content_hash)
     ORDER BY chunk.content_hash, chunk.ordinal
  ) missing ORDER BY ordinal LIMIT $3`;

/** $1 and $2: the fence. The call has its usage row from now on, even if the worker or the document is lost. */
export const BEGIN_CALL_SQL = `
  WITH begun AS (
    UPDATE document_ingestion SET calls = calls + 1, is_call_open = true WHERE id = $1 AND claim_token = $2
    RETURNING id, tenant_id, document_id, calls
  ), asking AS (
    SELECT begun.id, begun.tenant_id,
           jsonb_build_array(jsonb_build_object('scope', '', 'purpose', 'embedding', 'round', begun.calls,
             'try_number', 1, 'state', 'unknown', 'model', datasource.embed_model)) AS rows
      FROM begun
      JOIN document ON document.id = begun.document_id
      JOIN datasource ON datasource.id = document.datasource_id
  ), spent AS (
    ${insertUsageSql({ of: 'asking', execution: 'asking.id', tenant: 'asking.tenant_id', agent: 'NULL::int', session: 'NULL::uuid', rows: 'asking.rows' })}
  )
  SELECT calls FROM begun`;

/** $1 and $2: the fence; $3: hashes; $4: vectors; $5: usage, which is written without the fence, too. */
export const END_CALL_SQL = `
  WITH spent AS (
    ${updateUsageSql({ execution: '$1', row: '$5' })}
  ), held AS (
    SELECT held.id, held.tenant_id, held.document_id, held.generation, datasource.llm_id, datasource.embed_model,
           datasource.dimensions
      FROM document_ingestion held
      JOIN document ON document.id = held.document_id
      JOIN datasource ON datasource.id = document.datasource_id
     WHERE held.id = $1 AND held.claim_token = $2 FOR UPDATE OF held
  ), kept AS (
    INSERT INTO embedding (tenant_id, llm_id, model, dimensions, content_hash, vector)
    SELECT held.tenant_id, held.llm_id, held.embed_model, held.dimensions, made.content_hash, made.vector
      FROM held, unnest($3::bytea[], $4::bytea[]) AS made (content_hash, vector)
    ON CONFLICT DO NOTHING
  )
  UPDATE document_ingestion ingestion
     SET is_call_open = false,
         tries = CASE WHEN cardinality($3::bytea[]) > 0 THEN 0 ELSE tries END,
         losses = CASE WHEN cardinality($3::bytea[]) > 0 THEN 0 ELSE losses END,
         error_code = CASE WHEN cardinality($3::bytea[]) = 0 THEN error_code END,
         error_text = CASE WHEN cardinality($3::bytea[]) = 0 THEN error_text END,
         progress_done = progress_done + (
           SELECT count(*) FROM chunk
            WHERE chunk.document_id = held.document_id AND chunk.generation = held.generation
              AND chunk.content_hash = ANY($3::bytea[]))
    FROM held WHERE ingestion.id = held.id RETURNING ingestion.id`;
