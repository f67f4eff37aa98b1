import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemTimers } from '#libs/kernel';
import { INGESTION_JOBS } from '#libs/knowledge';
import { warnRarely, type Logger } from '#libs/observability';
import { ingestDocumentJob } from '#libs/payloads';
import { DocumentIngestionStore, DocumentViewStore } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { API_CONFIG, API_LOGGER } from '../api.tokens.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { DocumentEventsController } from './document-events.controller.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentReads } from './document-reads.js';
import { DocumentsService } from './documents.service.js';
import { GivenDocuments } from './given-documents.js';
import { IngestionDispatcher } from './ingestion-dispatcher.js';
import { OriginalKeeper } from './original-keeper.js';

@Module({
  imports: [UploadsModule],
  controllers: [DocumentsController, DocumentEventsController],
  providers: [
    {
      provide: IngestionDispatcher,
      inject: [DocumentIngestionStore, JobProducer, API_CONFIG, API_LOGGER],
      useFactory: (
        store: DocumentIngestionStore,
        jobs: JobProducer,
        { dispatch }: AppConfig,
        logger: Logger,
      ) => {
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
      provide: DocumentReads,
      inject: [DocumentViewStore],
      useFactory: (documents: DocumentViewStore) => new DocumentReads(documents, systemTimers),
    },
    OriginalKeeper,
    GivenDocuments,
    DocumentsService,
  ],
})
export class DocumentsModule {}
