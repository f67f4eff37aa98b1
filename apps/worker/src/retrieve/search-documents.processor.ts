import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { SearchDocuments } from './search-documents.js';

/** Of the searches that this process tries. */
export class SearchProgress extends ProgressWatch {}

/** The API waits for it, and reads the outcome where it is written. */
@Processor('search-documents', QUEUE_WORKER_OPTIONS)
export class SearchDocumentsProcessor extends WorkerHost {
  constructor(
    private readonly searchDocuments: SearchDocuments,
    readonly progress: SearchProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<boolean> {
    const { tenantId, searchId } = parseJob('search-documents', job.data);
    const end = this.progress.begin();
    try {
      await this.searchDocuments.execute(tenantId, searchId);
      return true;
    } finally {
      end();
    }
  }
}
