import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { GenerateTitle } from './generate-title.js';

/** Of the titles that this process takes up. */
export class TitleProgress extends ProgressWatch {}

/** A job says: a session may be without a title. Whether it is, is in the database. */
@Processor('generate-title', QUEUE_WORKER_OPTIONS)
export class GenerateTitleProcessor extends WorkerHost {
  constructor(
    private readonly generateTitle: GenerateTitle,
    readonly progress: TitleProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const { executionId } = parseJob('generate-title', job.data);
    const end = this.progress.begin();
    try {
      await this.generateTitle.execute(executionId);
    } finally {
      end();
    }
  }
}
