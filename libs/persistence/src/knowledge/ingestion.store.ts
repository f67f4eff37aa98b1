import {
  IngestionStore,
  type ClaimedIngestion,
  type DocumentKind,
  type DocumentWarning,
  type EmbeddedText,
  type EmbeddingUsage,
  type Fenced,
  type HashedChunk,
  type IngestionFence,
  type IngestionDispatchOptions,
  type DueIngestion,
  type KnowledgeQuota,
  type Original,
  type OverQuota,
  type Setback,
  type UnembeddedText,
  toSearchedWords,
} from '#libs/knowledge';
import { toStorableText } from '#libs/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows, type Queryable } from '../sql.js';
import {
  BEGIN_CALL_SQL,
  CLAIM_INGESTION_SQL,
  END_CALL_SQL,
  readClaimed,
  TAKE_INGESTIONS_SQL,
  UNEMBEDDED_SQL,
} from './ingestion-sql.js';
import { dropChunks, dropGenerations, findOverKnowledgeQuota, lockKnowledge } from './knowledge-sql.js';
import { embeddingRecord, toUsageRow } from '../executions/usage-rows.js';

/** Ingestion of generations of documents (docs/guides/knowledge.md): their claims and their progress. */
export class DocumentIngestionStore extends IngestionStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async take(options: IngestionDispatchOptions): Promise<readonly DueIngestion[]> {
    const { queueTarget, tenantTarget, redispatchAfterMs } = options;
    const rows = await queryRows<{ id: string }>(this.dataSource, TAKE_INGESTIONS_SQL, [
      queueTarget,
      tenantTarget,
      redispatchAfterMs,
    ]);
    return rows.map(({ id }) => ({ ingestionId: id }));
  }

  override async requeue(due: readonly DueIngestion[]): Promise<void> {
    const sql = `UPDATE document_ingestion SET dispatched_at = NULL WHERE id = ANY($1::uuid[])`;
    await queryRows(this.dataSource, sql, [due.map(({ ingestionId }) => ingestionId)]);
  }

  override async claim(
    ingestionId: string,
    token: string,
    leaseMs: number,
  ): Promise<ClaimedIngestion | null> {
    const [row] = await queryRows<Parameters<typeof readClaimed>[0]>(this.dataSource, CLAIM_INGESTION_SQL, [
      ingestionId,
      token,
      leaseMs,
    ]);
    return row === undefined ? null : readClaimed(row);
  }

  override async renew(fence: IngestionFence, leaseMs: number): Promise<Fenced> {
    return write(this.dataSource, fence, `lease_expires_at = now() + $3 * interval '1 millisecond'`, [
      leaseMs,
    ]);
  }

  override async begin(
    fence: IngestionFence,
    state: 'fetching' | 'parsing' | 'chunking' | 'indexing',
  ): Promise<Fenced> {
    return write(this.dataSource, fence, 'state = $3', [state]);
  }

  override async keepOriginal(
    fence: IngestionFence,
    {
      original: { blobKey, sizeBytes, contentHash },
      mediaType,
      fileName,
    }: { readonly original: Original; readonly mediaType: string | null; readonly fileName: string | null },
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }> {
    return this.locked(fence, async (manager, { tenantId }) => {
      const overQuota = await findOverKnowledgeQuota(manager, tenantId, quota, { bytes: sizeBytes });
      if (overQuota !== null) return { overQuota };
      await queryRows(manager, `DELETE FROM blob_disposal WHERE blob_key = $1`, [blobKey]);
      return write(
        manager,
        fence,
        `state = 'parsing', blob_key = $3, size_bytes = $4, content_hash = $5, media_type = $6, file_name = $7, ${WELL}`,
        [blobKey, sizeBytes, contentHash, mediaType, fileName],
      );
    });
  }

  override async beginChunks(fence: IngestionFence, kind: DocumentKind): Promise<Fenced> {
    return this.locked(fence, async (manager, { documentId, generation }) => {
      await queryRows(manager, `DELETE FROM chunk WHERE document_id = $1 AND generation = $2`, [
        documentId,
        generation,
      ]);
      return write(manager, fence, `state = 'chunking', kind = $3, chunk_count = 0`, [kind]);
    });
  }

  override async addChunks(
    fence: IngestionFence,
    chunks: readonly HashedChunk[],
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }> {
    return this.locked(fence, async (manager, held) => {
      const more = { chunks: chunks.length };
      const overQuota = await findOverKnowledgeQuota(manager, held.tenantId, quota, more);
      if (overQuota !== null) return { overQuota };
      await insertChunks(manager, held, chunks);
      return write(manager, fence, 'chunk_count = chunk_count + $3', [chunks.length]);
    });
  }

  override async endChunks(fence: IngestionFence, warnings: readonly DocumentWarning[]): Promise<Fenced> {
    return write(
      this.dataSource,
      fence,
      `state = 'embedding', progress_total = chunk_count, warnings = $3, ${WELL},
       progress_done = (
         SELECT count(*) FROM chunk
           JOIN datasource ON datasource.id = chunk.datasource_id
           JOIN embedding
             ON embedding.tenant_id = chunk.tenant_id AND embedding.llm_id = datasource.llm_id
            AND embedding.model = datasource.embed_model AND embedding.dimensions = datasource.dimensions
            AND embedding.content_hash = chunk.content_hash
          WHERE chunk.document_id = document_ingestion.document_id
            AND chunk.generation = document_ingestion.generation)`,
      [JSON.stringify(warnings)],
    );
  }

  override async findUnembedded(fence: IngestionFence, limit: number): Promise<readonly UnembeddedText[]> {
    return findUnembedded(this.dataSource, fence, limit);
  }

  override async beginCall(fence: IngestionFence): Promise<number | null> {
    const [row] = await queryRows<{ calls: number }>(this.dataSource, BEGIN_CALL_SQL, [
      fence.ingestionId,
      fence.token,
    ]);
    return row?.calls ?? null;
  }

  override async endCall(
    fence: IngestionFence,
    usage: EmbeddingUsage,
    embedded: readonly EmbeddedText[],
  ): Promise<Fenced> {
    const rows = await queryRows(this.dataSource, END_CALL_SQL, [
      ...[fence.ingestionId, fence.token],
      embedded.map(({ contentHash }) => contentHash),
      embedded.map(({ vector }) => vector),
      JSON.stringify(toUsageRow(embeddingRecord(usage))),
    ]);
    return rows.length > 0 ? 'written' : 'lost';
  }

  override async publish(fence: IngestionFence): Promise<Fenced | 'incomplete'> {
    return this.locked(fence, async (manager, { tenantId, documentId, generation }) => {
      if ((await findUnembedded(manager, fence, 1)).length > 0) return 'incomplete';
      await dropGenerations(manager, { tenantId, documentId, except: generation });
      await queryRows(manager, `UPDATE document SET live_generation = $2, updated_at = now() WHERE id = $1`, [
        documentId,
        generation,
      ]);
      return write(
        manager,
        fence,
        `state = 'ready', progress_done = progress_total, ${WELL}, ${FINISHED}`,
        [],
      );
    });
  }

  override async fail(
    fence: IngestionFence,
    { code, text }: { readonly code: string; readonly text: string },
  ): Promise<Fenced> {
    return this.locked(fence, async (manager, { tenantId, documentId, generation }) => {
      await dropChunks(manager, { tenantId, documentId, generations: [generation] });
      const error = `state = 'failed', error_code = $3, error_text = $4, chunk_count = 0`;
      return write(manager, fence, `${error}, ${FINISHED}`, [code, text]);
    });
  }

  override async putOff(fence: IngestionFence, delayMs: number, setback: Setback | null): Promise<Fenced> {
    return write(
      this.dataSource,
      fence,
      `due_at = now() + $3 * interval '1 millisecond', tries = tries + $4, losses = 0, dispatched_at = NULL,
       claim_token = NULL, lease_expires_at = NULL, error_code = coalesce($5, error_code),
       error_text = coalesce($6, error_text)`,
      [delayMs, setback?.isTry === true ? 1 : 0, setback?.code ?? null, setback?.text ?? null],
    );
  }

  /** Does work under the lock of the tenant. It reads the tenant first, and checks the fence again under the lock. */
  private async locked<T>(
    { ingestionId, token }: IngestionFence,
    work: (manager: EntityManager, held: HeldGeneration) => Promise<T | Fenced>,
  ): Promise<T | Fenced> {
    const [known] = await queryRows<{ tenant_id: string }>(
      this.dataSource,
      `SELECT tenant_id FROM document_ingestion WHERE id = $1 AND claim_token = $2`,
      [ingestionId, token],
    );
    if (known === undefined) return 'lost';
    return this.dataSource.transaction(async (manager) => {
      await lockKnowledge(manager, known.tenant_id);
      const [held] = await queryRows<HeldGeneration>(
        manager,
        `SELECT held.tenant_id AS "tenantId", held.document_id AS "documentId", held.generation,
                document.datasource_id AS "datasourceId"
           FROM document_ingestion held JOIN document ON document.id = held.document_id
          WHERE held.id = $1 AND held.claim_token = $2 FOR UPDATE OF held`,
        [ingestionId, token],
      );
      return held === undefined ? 'lost' : work(manager, held);
    });
  }
}

interface HeldGeneration {
  readonly tenantId: string;
  readonly documentId: string;
  readonly datasourceId: number;
  readonly generation: number;
}

/** Resets failures after a success. */
const WELL = `tries = 0, losses = 0, error_code = NULL, error_text = NULL`;
const FINISHED = `finished_at = now(), claim_token = NULL, lease_expires_at = NULL, dispatched_at = NULL`;

/** @param assignments with parameters from $3 on */
async function write(
  manager: Queryable,
  { ingestionId, token }: IngestionFence,
  assignments: string,
  parameters: readonly unknown[],
): Promise<Fenced> {
  const rows = await queryRows(
    manager,
    `UPDATE document_ingestion SET ${assignments} WHERE id = $1 AND claim_token = $2 RETURNING id`,
    [ingestionId, token, ...parameters],
  );
  return rows.length > 0 ? 'written' : 'lost';
}

function findUnembedded(
  manager: Queryable,
  { ingestionId, token }: IngestionFence,
  limit: number,
): Promise<UnembeddedText[]> {
  return queryRows<UnembeddedText>(manager, UNEMBEDDED_SQL, [ingestionId, token, limit]);
}

async function insertChunks(
  manager: EntityManager,
  { tenantId, datasourceId, documentId, generation }: HeldGeneration,
  chunks: readonly HashedChunk[],
): Promise<void> {
  const rows = chunks.map(({ ordinal, text, repeatedChars, headings, page, tokens, contentHash }) => ({
    ...{ ordinal, page, text: toStorableText(text), headings: headings.map(toStorableText) },
    ...{ repeated_chars: repeatedChars, token_count: tokens, hash: contentHash.toString('hex') },
    ...{ words: searchedWordsOf([text]), heading_words: searchedWordsOf(headings) },
  }));
  await queryRows(
    manager,
    `INSERT INTO chunk (tenant_id, datasource_id, document_id, generation, ordinal, text, repeated_chars, headings, page,
                        token_count, content_hash, search)
     SELECT $1, $2, $3, $4, ordinal, text, repeated_chars, headings, page, token_count, decode(hash, 'hex'),
            setweight(to_tsvector('simple', heading_words), 'A') || setweight(to_tsvector('simple', words), 'B')
       FROM jsonb_to_recordset($5::jsonb) AS given (ordinal int, text text, repeated_chars int, headings text[], page int,
                                                     token_count int, hash text, words text, heading_words text)`,
    [tenantId, datasourceId, documentId, generation, JSON.stringify(rows)],
  );
}

function searchedWordsOf(texts: readonly string[]): string {
  return toSearchedWords(toStorableText(texts.join(' ')));
}
