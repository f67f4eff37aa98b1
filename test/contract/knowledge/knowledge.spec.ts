import { afterAll, beforeAll, describe } from '@jest/globals';
import {
  InMemoryChunkIndex,
  InMemoryDocuments,
  InMemoryIngestions,
  InMemoryKnowledge,
} from '#libs/knowledge';
import { DocumentChangesStore, DocumentIngestionStore, ExactChunkIndex } from '#libs/persistence';
import { PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { describeChunkIndex, type IndexBackend } from './chunk-index.contract.js';
import { describeDocuments } from './documents.contract.js';
import { describeIngestion } from './ingestion.contract.js';

const AMPLE_BYTES = 1_000_000;
const SETTINGS = {
  llmId: 1,
  embedModel: 'sim-embedding',
  dimensions: 2,
  chunkTokens: 100,
  overlapTokens: 10,
};

describe('documents in memory', () => {
  describeKnowledge(() => Promise.resolve(inMemory()));
});

describe('documents in PostgreSQL', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
  });
  afterAll(() => world.close());
  describeKnowledge(() => inPostgres(world, AMPLE_BYTES));
  describe('finding without room in memory', () => describeChunkIndex(() => inPostgres(world, 0)));
});

function describeKnowledge(start: () => Promise<IndexBackend>): void {
  describe('taking in', () => describeDocuments(start));
  describe('ingesting', () => describeIngestion(start));
  describe('finding', () => describeChunkIndex(start));
}

function inMemory(): IndexBackend {
  const knowledge = new InMemoryKnowledge();
  knowledge.datasources.set(1, { tenantId: 'default', ...SETTINGS });
  const generations = (documentId: string) =>
    [...knowledge.generationsOf(documentId)].sort((a, b) => a.generation - b.generation);
  return {
    documents: new InMemoryDocuments(knowledge),
    ingestions: new InMemoryIngestions(knowledge),
    index: new InMemoryChunkIndex(knowledge),
    datasourceId: 1,
    endLease: (ingestionId) => {
      const kept = knowledge.ingestions.get(ingestionId);
      if (kept !== undefined) kept.isLeaseOver = true;
      return Promise.resolve();
    },
    endAnnouncements: () => {
      for (const blob of knowledge.disposable.values()) blob.isDue = true;
      return Promise.resolve();
    },
    liveGeneration: (documentId) =>
      Promise.resolve(knowledge.documents.get(documentId)?.liveGeneration ?? null),
    chunkTexts: (documentId) =>
      Promise.resolve(generations(documentId).flatMap(({ chunks }) => chunks.map(({ text }) => text))),
    countEmbeddings: () => Promise.resolve(knowledge.embeddings.size),
    usage: (id) =>
      Promise.resolve(
        knowledge.usage
          .filter(({ ingestionId }) => ingestionId === id)
          .map(({ call, state, inputTokens }) => ({ call, state, tokens: inputTokens })),
      ),
  };
}

/** Without the documents of the test before. */
async function inPostgres({ dataSource }: PersistenceWorld, cacheBytes: number): Promise<IndexBackend> {
  await dataSource.query(
    `TRUNCATE datasource, document, document_ingestion, chunk, embedding, blob_disposal`,
  );
  const { embedModel, dimensions, chunkTokens, overlapTokens } = SETTINGS;
  const [datasource]: { id: number }[] = await dataSource.query(
    `INSERT INTO datasource (tenant_id, name, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens)
     SELECT 'default', 'docs', min(id), $1, $2, $3, $4 FROM llm RETURNING id`,
    [embedModel, dimensions, chunkTokens, overlapTokens],
  );
  return {
    documents: new DocumentChangesStore(dataSource),
    ingestions: new DocumentIngestionStore(dataSource),
    index: new ExactChunkIndex(dataSource, { cacheBytes }),
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
