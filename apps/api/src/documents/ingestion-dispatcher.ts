import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Dispatcher } from '#libs/executions';
import { INGESTION_JOBS, type DueIngestion } from '#libs/knowledge';
import { warnRarely, type Logger } from '#libs/observability';
import { ingestDocumentJob } from '#libs/payloads';
import { DocumentIngestionStore } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { API_CONFIG, API_LOGGER } from '../api.tokens.js';

/** Dispatches ingestion jobs at once, without waiting for housekeeping to find them. */
@Injectable()
export class IngestionDispatcher extends Dispatcher<DueIngestion> {
  constructor(
    store: DocumentIngestionStore,
    jobs: JobProducer,
    @Inject(API_CONFIG) { dispatch: { redispatchAfterMs } }: AppConfig,
    @Inject(API_LOGGER) logger: Logger,
  ) {
    const options = { ...INGESTION_JOBS, redispatchAfterMs };
    const jobOf = ({ ingestionId }: DueIngestion) => ingestDocumentJob(ingestionId, randomUUID());
    super(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => jobs.send('ingest-document', due.map(jobOf)),
      warnRarely(logger, 'documents not dispatched'),
    );
  }
}
