import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ChildProcessParser } from '#libs/document-parsers';
import { GuardedFetch } from '#libs/guarded-fetch';
import { systemClock, systemTimers } from '#libs/kernel';
import { BlobStore, DocumentFetcher, IngestDocument } from '#libs/knowledge';
import { loadTokenCounterOf, tokenCounterOf } from '#libs/model-providers';
import type { Logger } from '#libs/observability';
import { DocumentChangesStore, DocumentIngestionStore, classifyDatabaseError } from '#libs/persistence';
import { EmbeddingLimit } from '../embeddings/embedding-limit.js';
import { EmbeddingServices } from '../embeddings/embedding-services.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { requireKnowledge } from './require-knowledge.js';
import { UrlFetcher } from './url-fetcher.js';

/** Time limit of a download in milliseconds, from the DNS lookup to the last byte. */
const FETCH_MS = 120_000;
/**
 * Extra bytes read beyond the maximum document size, so that the blob store, which counts the bytes, refuses a larger
 * one.
 */
const BEYOND_BYTES = 65_536;

/** Connections for downloading documents; closed with the process. */
@Injectable()
export class IngestConnections implements OnApplicationShutdown {
  readonly guarded: GuardedFetch;

  constructor(@Inject(WORKER_CONFIG) config: AppConfig) {
    const mostReadBytes = requireKnowledge(config).mostDocumentBytes + BEYOND_BYTES;
    this.guarded = new GuardedFetch({ allowLoopback: false, timeoutMs: FETCH_MS, mostReadBytes });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.guarded.close();
  }
}

@Injectable()
export class WorkerFetcher extends UrlFetcher {
  constructor({ guarded }: IngestConnections) {
    super(guarded, systemClock);
  }
}

@Injectable()
export class WorkerIngestion extends IngestDocument {
  constructor(
    ingestions: DocumentIngestionStore,
    documents: DocumentChangesStore,
    fetcher: DocumentFetcher,
    blobs: BlobStore,
    services: EmbeddingServices,
    limit: EmbeddingLimit,
    @Inject(WORKER_CONFIG) config: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { parser, quota, mostDocumentBytes } = requireKnowledge(config);
    super({
      ingestions,
      documents,
      blobs,
      fetcher,
      parser: new ChildProcessParser(parser),
      countTokensOf: async (model) => {
        await loadTokenCounterOf(model);
        return tokenCounterOf(model);
      },
      sha256: (text) => createHash('sha256').update(text).digest(),
      hasher: () => createHash('sha256'),
      newId: randomUUID,
      newToken: randomUUID,
      letOthersRun: () => setImmediate(),
      ...{ quota, mostDocumentBytes },
      serviceOf: (tenantId, settings) => services.of(tenantId, settings),
      limitOf: (tenantId) => limit.take(tenantId),
      timers: systemTimers,
      leaseMs: config.execution.leaseMs,
      isOutage: (error) => classifyDatabaseError(error).kind !== 'ours',
      onSurprise: (err, ingestionId) => logger.warn({ err, ingestionId }, 'document not ingested'),
    });
  }
}
