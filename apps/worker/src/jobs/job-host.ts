import type { Job } from 'bullmq';
import { parseJob, type JobPayload, type QueueName } from '#libs/payloads';
import type { ProgressWatch } from '../health/progress-watch.js';
import { QueueProcessor } from '../queue/queue-processor.js';

/** Runs the jobs of one queue. A job is a hint: the database decides whether there is work. */
export class JobHost<Name extends QueueName = QueueName> extends QueueProcessor {
  /**
   * @param run its result is the answer for a waiting caller
   * @param concurrency maximum jobs in parallel per worker process
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
