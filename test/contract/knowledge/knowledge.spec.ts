import { afterAll, beforeAll, describe } from '@jest/globals';
import {} from '#libs/knowledge';
import { ExactChunkIndex } from '#libs/persistence';
import { PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { describeChunkIndex, type IndexBackend } from './chunk-index.contract.js';
import { describeDocuments } from './documents.contract.js';
import { describeIngestion } from './ingestion.contract.js';
import { inPostgres, SETTINGS } from './postgres-backend.js';
import { InMemoryChunkIndex } from '../../support/fakes/knowledge/in-memory-chunk-index.js';
import { InMemoryDocuments } from '../../support/fakes/knowledge/in-memory-documents.js';
import { InMemoryIngestions } from '../../support/fakes/knowledge/in-memory-ingestions.js';
import { InMemoryKnowledge } from '../../support/fakes/knowledge/in-memory-knowledge.js';

const AMPLE_BYTES = 1_000_000;
describe('documents in memory', () => {
  describeKnowledge(() => Promise.resolve(inMemory()));
});

describe('documents in PostgreSQL', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
  });
  afterAll(() => world.close());
  const keeping = (cacheBytes: number) => (): Promise<IndexBackend> => {
    const { dataSource } = world;
    return inPostgres(dataSource, new ExactChunkIndex(dataSource, { cacheBytes }));
  };
  describeKnowledge(keeping(AMPLE_BYTES));
  describe('finding without room in memory', () => describeChunkIndex(keeping(0)));
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
    progress: (ingestionId) => {
      const kept = knowledge.ingestions.get(ingestionId);
      const isDone = ({ contentHash }: { readonly contentHash: Buffer }) =>
        kept !== undefined && knowledge.embeddings.has(knowledge.embeddingKey(kept, contentHash));
      const chunks = kept?.chunks ?? [];
      return Promise.resolve({ done: chunks.filter(isDone).length, total: chunks.length });
    },
    errorCode: (ingestionId) => Promise.resolve(knowledge.ingestions.get(ingestionId)?.error?.code ?? null),
    usage: (id) =>
      Promise.resolve(
        knowledge.usage
          .filter(({ ingestionId }) => ingestionId === id)
          .map(({ call, state, inputTokens }) => ({ call, state, tokens: inputTokens })),
      ),
  };
}
