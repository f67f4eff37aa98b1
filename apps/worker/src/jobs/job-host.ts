import type { Job } from 'bullmq';
import { parseJob, type JobPayload, type QueueName } from '#libs/payloads';
import type { ProgressWatch } from '../health/progress-watch.js';
import { QueueProcessor } from '../queue/queue-processor.js';

/** Does the jobs of one queue. A job is a hint: whether there is anything to do stands in the database. */
export class JobHost<Name extends QueueName = QueueName> extends QueueProcessor {
  /**
   * @param run what it resolves to is the answer to a caller that waits for one
   * @param concurrency jobs that one worker process does at once
   * @param onEnd called after every job
   */
  constructor(
    private readonly queue: Name,
    private readonly run: (payload: JobPayload<Name>) => Promise<unknown>,
    readonly concurrency: number,
    readonly progress: ProgressWatch,
    private readonly onEnd: () => void,
  ) {
    super();
  }

  override async process(job: Job): Promise<unknown> {
    const payload = parseJob(this.queue, job.data);
    const end = this.progress.begin();
    try {
      return await this.run(payload);
    } finally {
      end();
      this.onEnd();
    }
  }
}
