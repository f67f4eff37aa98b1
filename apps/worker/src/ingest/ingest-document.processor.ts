import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { IngestDocument } from '#libs/knowledge';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { DrainSignal } from '../shutdown/shutdown.js';

/** Of the documents that this process takes in. */
export class IngestProgress extends ProgressWatch {}

/** A job says: this generation of a document may be due. Whether it is, and how far it has come, is in the database. */
@Processor('ingest-document', QUEUE_WORKER_OPTIONS)
export class IngestDocumentProcessor extends WorkerHost {
  constructor(
    private readonly ingestDocument: IngestDocument,
    private readonly drain: DrainSignal,
    readonly progress: IngestProgress,
  ) {
    super();
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
