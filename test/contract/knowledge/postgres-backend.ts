import type { ChunkIndex } from '#libs/knowledge';
import { DocumentChangesStore, DocumentIngestionStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import type { IndexBackend } from './chunk-index.contract.js';
import { emptyTables } from '../../support/services/empty-tables.js';

export const SETTINGS = {
  llmId: 1,
  embedModel: 'sim-embedding',
  dimensions: 2,
  chunkTokens: 100,
  overlapTokens: 10,
};

/** Stores on PostgreSQL, emptied of the documents of the previous test. */
export async function inPostgres(dataSource: DataSource, index: ChunkIndex): Promise<IndexBackend> {
  await emptyTables(dataSource, 'document', 'datasource', 'embedding', 'blob_disposal', 'vector_index');
  const { embedModel, dimensions, chunkTokens, overlapTokens } = SETTINGS;
  const [datasource]: { id: number }[] = await dataSource.query(
    `INSERT INTO datasource (tenant_id, name, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens)
     SELECT 'default', 'docs', min(id), $1, $2, $3, $4 FROM llm RETURNING id`,
    [embedModel, dimensions, chunkTokens, overlapTokens],
  );
  return {
    documents: new DocumentChangesStore(dataSource),
    ingestions: new DocumentIngestionStore(dataSource),
    index,
    datasourceId: datasource?.id ?? 0,
    endLease: async (ingestionId) => {
      await dataSource.query(
        `UPDATE document_ingestion SET lease_expires_at = now() - interval '1 second' WHERE id = $1`,
        [ingestionId],
      );
    },
    endAnnouncements: async () => {
      await dataSource.query(`UPDATE blob_disposal SET due_at = now()`);
    },
    liveGeneration: async (documentId) => {
      const [row]: { live: number | null }[] = await dataSource.query(
        `SELECT live_generation AS live FROM document WHERE id = $1`,
        [documentId],
      );
      return row?.live ?? null;
    },
    chunkTexts: async (documentId) => {
      const rows: { text: string }[] = await dataSource.query(
        `SELECT text FROM chunk WHERE document_id = $1 ORDER BY generation, ordinal`,
        [documentId],
      );
      return rows.map(({ text }) => text);
    },
    countEmbeddings: async () => {
      const [row]: { count: number }[] = await dataSource.query(
        `SELECT count(*)::int AS count FROM embedding`,
      );
      return row?.count ?? 0;
    },
    progress: async (ingestionId) => {
      const [row]: { done: number; total: number | null }[] = await dataSource.query(
        `SELECT progress_done AS done, progress_total AS total FROM document_ingestion WHERE id = $1`,
        [ingestionId],
      );
      return row ?? { done: 0, total: null };
    },
    errorCode: async (ingestionId) => {
      const [row]: { error_code: string | null }[] = await dataSource.query(
        `SELECT error_code FROM document_ingestion WHERE id = $1`,
        [ingestionId],
      );
      return row?.error_code ?? null;
    },
    usage: async (ingestionId) => {
      const rows: { call: number; state: string; tokens: string | null }[] = await dataSource.query(
        `SELECT round AS call, state, total_tokens AS tokens FROM usage_log
          WHERE execution_id = $1 AND purpose = 'embedding' ORDER BY round`,
        [ingestionId],
      );
      return rows.map(({ tokens, ...row }) => ({ ...row, tokens: tokens === null ? null : Number(tokens) }));
    },
  };
}
