import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Dispatcher } from '#libs/executions';
import { INGESTION_JOBS, type DueIngestion } from '#libs/knowledge';
import { warnRarely, type Logger } from '#libs/observability';
import { ingestDocumentJob } from '#libs/payloads';
import { DocumentIngestionStore } from '#libs/persistence';
import { JobSender } from '../dispatch/job-sender.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/** Sends jobs for documents to ingest. */
@Injectable()
export class IngestionDispatcher extends Dispatcher<DueIngestion> {
  constructor(
    store: DocumentIngestionStore,
    sender: JobSender,
    @Inject(WORKER_CONFIG) { dispatch: { redispatchAfterMs } }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    const options = { ...INGESTION_JOBS, redispatchAfterMs };
    const jobOf = ({ ingestionId }: DueIngestion) => ingestDocumentJob(ingestionId, randomUUID());
    super(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => sender.send('ingest-document', due.map(jobOf)),
      warnRarely(logger, 'documents not dispatched'),
    );
  }
}
