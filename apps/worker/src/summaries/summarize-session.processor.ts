import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { SummarizeSession } from '#libs/executions';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';

/** Of the summaries that this process takes up. */
export class SummaryProgress extends ProgressWatch {}

/** A job says: a conversation may have outgrown its budget. Whether it has, is in the database. */
@Processor('summarize-session', QUEUE_WORKER_OPTIONS)
export class SummarizeSessionProcessor extends WorkerHost {
  constructor(
    private readonly summarize: SummarizeSession,
    readonly progress: SummaryProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const { sessionId } = parseJob('summarize-session', job.data);
    const end = this.progress.begin();
    try {
      await this.summarize.execute(sessionId);
    } finally {
      end();
    }
  }
}
