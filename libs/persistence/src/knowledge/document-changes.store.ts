import {
  DocumentStore,
  type DocumentAcceptance,
  type DocumentSource,
  type KnowledgeQuota,
  type NewDocument,
  type NewDocumentAcceptance,
  type NewGeneration,
} from '#libs/knowledge';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { dropGenerations, findOverKnowledgeQuota, lockKnowledge } from './knowledge-sql.js';
import { findRepeated } from './repeated-upload.js';

/** Taking documents in, replacing and removing them. */
export class DocumentChangesStore extends DocumentStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async announceBlob(tenantId: string, blobKey: string, forMs: number): Promise<void> {
    await queryRows(
      this.dataSource,
      `INSERT INTO blob_disposal (tenant_id, blob_key, due_at) VALUES ($1, $2, now() + $3 * interval '1 millisecond')`,
      [tenantId, blobKey, forMs],
    );
  }

  override async accept(
    { documentId, ingestionId, tenantId, datasourceId, title, given, idempotency = null }: NewDocument,
    quota: KnowledgeQuota,
  ): Promise<NewDocumentAcceptance> {
    return this.dataSource.transaction(async (manager) => {
      await lockKnowledge(manager, tenantId);
      const repeated =
        idempotency === null ? null : await findRepeated(manager, 'document', tenantId, idempotency);
      if (repeated !== null) return repeated;
      const more = { documents: 1, bytes: sizeOf(given) };
      const bound = await findOverKnowledgeQuota(manager, tenantId, quota, more);
      if (bound !== null) return { kind: 'over_quota', bound };
      const [inserted] = await queryRows(
        manager,
        `INSERT INTO document (id, tenant_id, datasource_id, title, idempotency_key, request_sha256)
         SELECT $1, tenant_id, id, $4, $5, $6 FROM datasource WHERE tenant_id = $2 AND id = $3 FOR KEY SHARE RETURNING id`,
        [
          ...[documentId, tenantId, datasourceId, title],
          ...[idempotency?.key ?? null, idempotency?.requestSha256 ?? null],
        ],
      );
      if (inserted === undefined) return { kind: 'not_found' };
      await insertGeneration(manager, { ingestionId, tenantId, documentId, generation: 1, given });
      return { kind: 'accepted', generation: 1, version: 1 };
    });
  }

  override async replace(
    { ingestionId, tenantId, documentId, title, given, expected }: NewGeneration,
    quota: KnowledgeQuota,
  ): Promise<DocumentAcceptance> {
    return transactionOrRefusal(this.dataSource, async (manager) => {
      await lockKnowledge(manager, tenantId);
      const document = await lockDocument(manager, tenantId, documentId);
      if (document === null) return { kind: 'not_found' };
      if (expected?.includes(document.version) === false) return { kind: 'other_version' };
      // The first generation is 1, so that 0 is none: all of them go where none is searched.
      await dropGenerations(manager, { tenantId, documentId, except: document.live_generation ?? 0 });
      // What goes is not counted; above the quota it stays after all.
      const more = { bytes: sizeOf(given) };
      const bound = await findOverKnowledgeQuota(manager, tenantId, quota, more);
      if (bound !== null) throw new Refusal({ kind: 'over_quota', bound });
      const [row] = await queryRows<{ generation: number; version: number }>(
        manager,
        `UPDATE document SET generation = generation + 1, version = version + 1, updated_at = now(),
                title = coalesce($2, title)
          WHERE id = $1 RETURNING generation, version`,
        [documentId, title],
      );
      if (row === undefined) return { kind: 'not_found' };
      await insertGeneration(manager, {
        ingestionId,
        tenantId,
        documentId,
        generation: row.generation,
        given,
      });
      return { kind: 'accepted', ...row };
    });
  }

  override async remove(
    tenantId: string,
    documentId: string,
    expected: readonly number[] | null,
  ): Promise<'removed' | 'not_found' | 'other_version'> {
    return this.dataSource.transaction(async (manager) => {
      await lockKnowledge(manager, tenantId);
      const document = await lockDocument(manager, tenantId, documentId);
      if (document === null) return 'not_found';
      if (expected?.includes(document.version) === false) return 'other_version';
      await dropGenerations(manager, { tenantId, documentId, except: null });
      await queryRows(manager, `DELETE FROM document WHERE id = $1`, [documentId]);
      return 'removed';
    });
  }

  override async disposableBlobs(limit: number): Promise<readonly string[]> {
    const rows = await queryRows<{ blob_key: string }>(
      this.dataSource,
      `SELECT blob_key FROM blob_disposal WHERE due_at <= now() ORDER BY due_at LIMIT $1`,
      [limit],
    );
    return rows.map(({ blob_key }) => blob_key);
  }

  override async forgetBlobs(blobKeys: readonly string[]): Promise<void> {
    const sql = `DELETE FROM blob_disposal WHERE blob_key = ANY($1::text[])`;
    await queryRows(this.dataSource, sql, [blobKeys]);
  }

  override async putOffBlobs(blobKeys: readonly string[], forMs: number): Promise<void> {
    const sql = `UPDATE blob_disposal SET due_at = now() + $2 * interval '1 millisecond' WHERE blob_key = ANY($1::text[])`;
    await queryRows(this.dataSource, sql, [blobKeys, forMs]);
  }
}

/** Ends a transaction that has written, and takes back what it wrote. */
class Refusal extends Error {
  constructor(readonly answer: DocumentAcceptance) {
    super(answer.kind);
  }
}

async function transactionOrRefusal(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<DocumentAcceptance>,
): Promise<DocumentAcceptance> {
  try {
    return await dataSource.transaction(work);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

async function lockDocument(
  manager: EntityManager,
  tenantId: string,
  documentId: string,
): Promise<{ readonly version: number; readonly live_generation: number | null } | null> {
  const [row] = await queryRows<{ version: number; live_generation: number | null }>(
    manager,
    `SELECT version, live_generation FROM document WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [tenantId, documentId],
  );
  return row ?? null;
}

/** A blob of a document is announced no longer. */
async function insertGeneration(
  manager: EntityManager,
  {
    given,
    ...row
  }: { ingestionId: string; tenantId: string; documentId: string; generation: number; given: DocumentSource },
): Promise<void> {
  const original = given.source === 'url' ? null : given.original;
  await queryRows(
    manager,
    `WITH taken_over AS (DELETE FROM blob_disposal WHERE blob_key = $7)
     INSERT INTO document_ingestion (id, tenant_id, document_id, generation, source, url, blob_key, size_bytes, content_hash,
                                     file_name, media_type, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'waiting')`,
    [
      ...[row.ingestionId, row.tenantId, row.documentId, row.generation, given.source],
      ...[given.source === 'url' ? given.url : null, original?.blobKey ?? null],
      ...[original?.sizeBytes ?? null, original?.contentHash ?? null],
      ...(given.source === 'url' ? [null, null] : [given.fileName, given.mediaType]),
    ],
  );
}

/** Of a URL nobody knows how much it brings: one byte at least. */
function sizeOf(given: DocumentSource): number {
  return given.source === 'url' ? 1 : given.original.sizeBytes;
}
