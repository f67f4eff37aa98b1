import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { AppConfig } from '#libs/config';
import { IngestDocument } from '#libs/knowledge';
import { parseJob } from '#libs/payloads';
import { QueueProcessor } from '../queue/queue-processor.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { DrainSignal } from '../shutdown/shutdown.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { IngestProgress } from './ingest-progress.js';
import { requireKnowledge } from './require-knowledge.js';

/** Processes jobs that name document generations. Whether one is due, and its progress, is in the database. */
@Processor('ingest-document', QUEUE_WORKER_OPTIONS)
export class IngestDocumentProcessor extends QueueProcessor {
  readonly concurrency: number;

  constructor(
    private readonly ingestDocument: IngestDocument,
    private readonly drain: DrainSignal,
    readonly progress: IngestProgress,
    @Inject(WORKER_CONFIG) config: AppConfig,
  ) {
    super();
    this.concurrency = requireKnowledge(config).concurrency;
  }

  override async process(job: Job): Promise<void> {
    const { ingestionId } = parseJob('ingest-document', job.data);
    const end = this.progress.begin();
    try {
      await this.ingestDocument.execute(ingestionId, this.drain.signal);
    } finally {
      end();
    }
  }
}
