import { randomUUID } from 'node:crypto';
import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemTimers } from '#libs/kernel';
import { INGESTION_JOBS } from '#libs/knowledge';
import { warnRarely, type Logger } from '#libs/observability';
import { ingestDocumentJob } from '#libs/payloads';
import { DocumentIngestionStore, DocumentViewStore } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { DataSource } from 'typeorm';
import { API_CONFIG } from '../api.tokens.js';
import { BlobKeeper } from '../uploads/blob-keeper.js';
import { DocumentReads } from './document-reads.js';
import { DocumentsCommands } from './documents.commands.js';
import { DocumentsQueries } from './documents.queries.js';
import { GivenDocuments } from './given-documents.js';
import { IngestionDispatcher } from './ingestion-dispatcher.js';
import { OriginalKeeper } from './original-keeper.js';

/** What documents are taken in and read by, introduced to its adapters. */
export const documentProviders = (logger: Logger): Provider[] => [
  {
    provide: IngestionDispatcher,
    inject: [DataSource, JobProducer, API_CONFIG],
    useFactory: (dataSource: DataSource, jobs: JobProducer, { dispatch }: AppConfig) => {
      const store = new DocumentIngestionStore(dataSource);
      const options = { ...INGESTION_JOBS, redispatchAfterMs: dispatch.redispatchAfterMs };
      return new IngestionDispatcher(
        { take: () => store.take(options), requeue: (due) => store.requeue(due) },
        (due) =>
          jobs.send(
            'ingest-document',
            due.map(({ ingestionId }) => ingestDocumentJob(ingestionId, randomUUID())),
          ),
        warnRarely(logger, 'documents not dispatched'),
      );
    },
  },
  {
    provide: OriginalKeeper,
    inject: [BlobKeeper, API_CONFIG],
    useFactory: (blobs: BlobKeeper | null, { knowledge }: AppConfig) =>
      new OriginalKeeper(blobs && knowledge && { blobs, bounds: knowledge }),
  },
  {
    provide: DocumentReads,
    inject: [DocumentViewStore],
    useFactory: (documents: DocumentViewStore) => new DocumentReads(documents, systemTimers),
  },
  GivenDocuments,
  DocumentsQueries,
  DocumentsCommands,
];
