import type { EntityManager } from 'typeorm';
import { findOverQuota, type KnowledgeQuota, type KnowledgeUse, type OverQuota } from '#libs/knowledge';
import { queryRows } from '../sql.js';

/**
 * Transactions that count or free documents of a tenant take this lock first, and so run one after the other: a count
 * includes all that was accepted before, and no vector is deleted that another document has just come to share.
 */
export async function lockKnowledge(manager: EntityManager, tenantId: string): Promise<void> {
  const sql = `SELECT pg_advisory_xact_lock(hashtext('knowledge'), hashtext($1))::text`;
  await queryRows(manager, sql, [tenantId]);
}

/** Under the lock. Null if there is room. */
export async function findOverKnowledgeQuota(
  manager: EntityManager,
  tenantId: string,
  quota: KnowledgeQuota,
  more: Partial<KnowledgeUse>,
): Promise<OverQuota | null> {
  const [use] = await queryRows<KnowledgeUse>(
    manager,
    `SELECT (SELECT count(*)::int FROM document WHERE tenant_id = $1) AS documents,
            coalesce(sum(size_bytes), 0)::float8 AS bytes, coalesce(sum(chunk_count), 0)::int AS chunks
       FROM document_ingestion WHERE tenant_id = $1`,
    [tenantId],
  );
  return use === undefined ? null : findOverQuota(quota, use, more);
}

/**
 * Under the lock: deletes the generations of a document but for one, with their chunks and with the vectors that no other
 * chunk of the tenant shares, and marks their blobs for removal. A worker that still holds one of them can write no more.
 *
 * @param except null: all of them are deleted
 */
export async function dropGenerations(
  manager: EntityManager,
  { tenantId, documentId, except }: { tenantId: string; documentId: string; except: number | null },
): Promise<void> {
  const dropped = await queryRows<{ generation: number }>(
    manager,
    `WITH dropped AS (
       DELETE FROM document_ingestion WHERE document_id = $1 AND ($2::int IS NULL OR generation <> $2)
       RETURNING generation, tenant_id, blob_key
     ), disposed AS (
       INSERT INTO blob_disposal (tenant_id, blob_key) SELECT tenant_id, blob_key FROM dropped WHERE blob_key IS NOT NULL
       ON CONFLICT (blob_key) DO UPDATE SET due_at = now()
     )
     SELECT generation FROM dropped`,
    [documentId, except],
  );
  const generations = dropped.map(({ generation }) => generation);
  if (generations.length > 0) await dropChunks(manager, { tenantId, documentId, generations });
}

/** Under the lock: deletes the chunks of these generations, and vectors that no other chunk of the tenant shares. */
export async function dropChunks(
  manager: EntityManager,
  {
    tenantId,
    documentId,
    generations,
  }: { tenantId: string; documentId: string; generations: readonly number[] },
): Promise<void> {
  await queryRows(
    manager,
    `WITH gone AS (
       SELECT DISTINCT content_hash FROM chunk WHERE document_id = $2 AND generation = ANY($3::int[])
     )
     DELETE FROM embedding USING gone
      WHERE embedding.tenant_id = $1 AND embedding.content_hash = gone.content_hash
        AND NOT EXISTS (
          SELECT 1 FROM chunk WHERE chunk.tenant_id = $1 AND chunk.content_hash = gone.content_hash
             AND NOT (chunk.document_id = $2 AND chunk.generation = ANY($3::int[])))`,
    [tenantId, documentId, generations],
  );
  await queryRows(manager, `DELETE FROM chunk WHERE document_id = $1 AND generation = ANY($2::int[])`, [
    documentId,
    generations,
  ]);
}
