import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { AppConfig, KnowledgeConfig } from '#libs/config';
import { ChildProcessParser } from '#libs/document-parsers';
import { GuardedFetch } from '#libs/guarded-fetch';
import { systemClock, systemTimers } from '#libs/kernel';
import { BlobStore, DocumentFetcher, IngestDocument } from '#libs/knowledge';
import { loadTokenCounterOf, tokenCounterOf } from '#libs/model-providers';
import type { Logger } from '#libs/observability';
import {
  DocumentChangesStore,
  DocumentIngestionStore,
  isIngestionOverdue,
  judgeDatabaseError,
  LlmStore,
} from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { DataSource } from 'typeorm';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { EmbeddingLimit } from './embedding-limit.js';
import { EmbeddingServices } from './embedding-services.js';
import { IngestProgress } from './ingest-document.processor.js';
import { UrlFetcher } from './url-fetcher.js';

/** To fetch a document: from the look-up of the name to the last byte. */
const FETCH_MS = 120_000;
/** What the store of files counts is decided there: so much more may come. */
const BEYOND_BYTES = 65_536;

/** Connections that taking documents in opens, to be closed with the process. */
@Injectable()
class IngestConnections implements OnApplicationShutdown {
  readonly guarded: GuardedFetch;

  constructor({ mostDocumentBytes }: KnowledgeConfig) {
    const mostReadBytes = mostDocumentBytes + BEYOND_BYTES;
    this.guarded = new GuardedFetch({ allowLoopback: false, timeoutMs: FETCH_MS, mostReadBytes });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.guarded.close();
  }
}

/** Taking documents in, where there is a place to keep them. */
export function ingestProviders(knowledge: KnowledgeConfig): Provider[] {
  return [
    {
      provide: IngestProgress,
      inject: [DataSource, WORKER_CONFIG],
      useFactory: (dataSource: DataSource, config: AppConfig) =>
        new IngestProgress(
          () => isIngestionOverdue(dataSource, { forMs: overdueAfter(config) }),
          knowledge.concurrency,
          patienceOf(config),
          systemClock,
        ),
    },
    {
      provide: IngestConnections,
      useFactory: () => new IngestConnections(knowledge),
    },
    {
      provide: DocumentFetcher,
      inject: [IngestConnections],
      useFactory: ({ guarded }: IngestConnections) => new UrlFetcher(guarded, systemClock),
    },
    {
      provide: IngestDocument,
      inject: [DataSource, DocumentFetcher, EmbeddingLimit, BlobStore, WORKER_CONFIG, LOGGER],
      useFactory: (
        dataSource: DataSource,
        fetcher: DocumentFetcher,
        limit: EmbeddingLimit,
        blobs: BlobStore,
        config: AppConfig,
        logger: Logger,
      ) => createIngestDocument(dataSource, { fetcher, limit, blobs }, knowledge, config, logger),
    },
  ];
}

function createIngestDocument(
  dataSource: DataSource,
  {
    fetcher,
    limit,
    blobs,
  }: { readonly fetcher: DocumentFetcher; readonly limit: EmbeddingLimit; readonly blobs: BlobStore },
  knowledge: KnowledgeConfig,
  config: AppConfig,
  logger: Logger,
): IngestDocument {
  const secrets = config.encryptionKey === null ? null : new SecretBox(parseKeyring(config.encryptionKey));
  const services = new EmbeddingServices(new LlmStore(dataSource), config.models, secrets);
  return new IngestDocument({
    ingestions: new DocumentIngestionStore(dataSource),
    documents: new DocumentChangesStore(dataSource),
    blobs,
    fetcher,
    parser: new ChildProcessParser(knowledge.parser),
    countTokensOf: async (model) => {
      await loadTokenCounterOf(model);
      return tokenCounterOf(model);
    },
    sha256: (text) => createHash('sha256').update(text).digest(),
    hasher: () => createHash('sha256'),
    newId: randomUUID,
    newToken: randomUUID,
    letOthersRun: () => setImmediate(),
    ...{ quota: knowledge.quota, mostDocumentBytes: knowledge.mostDocumentBytes },
    serviceOf: (tenantId, settings) => services.of(tenantId, settings),
    limitOf: (tenantId) => limit.take(tenantId),
    timers: systemTimers,
    leaseMs: config.execution.leaseMs,
    isOutage: (error) => judgeDatabaseError(error).kind !== 'ours',
    onSurprise: (err, ingestionId) => logger.warn({ err, ingestionId }, 'document not taken in'),
  });
}
