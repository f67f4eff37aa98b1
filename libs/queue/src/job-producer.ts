import type { Queue } from 'bullmq';
import { AppError } from '#libs/kernel';
import { jobCatalogue, parseJob, type JobPayload, type QueueName } from '#libs/payloads';
import { withinTime } from './within-time.js';

export interface NewJob<Name extends QueueName> {
  /** Deduplicates: sending an existing id again adds no second job. Contains no `:`, and not digits only. */
  readonly id: string;
  readonly payload: JobPayload<Name>;
}

/** Milliseconds that an unresponsive queue may delay a caller; unsent jobs are dispatched again later. */
const SEND_TIMEOUT_MS = 3_000;

/** Sends jobs. Finished jobs are removed at once: PostgreSQL keeps the history, the queue only delivers. */
export class JobProducer {
  constructor(private readonly queues: ReadonlyMap<QueueName, Queue>) {}

  /** @param place end of the queue to add to; the jobs sent last to the front are taken first */
  async send<Name extends QueueName>(
    name: Name,
    jobs: readonly NewJob<Name>[],
    place: 'front' | 'end' = 'end',
  ): Promise<void> {
    const queue = this.queues.get(name);
    if (!queue)
      throw new AppError({
        code: 'UNKNOWN_QUEUE',
        kind: 'internal',
        message: `the queue is unknown: "${name}"`,
      });
    const { attempts, backoffMs } = jobCatalogue[name];
    const opts = {
      attempts,
      backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: true,
      lifo: place === 'front',
    };
    const entries = jobs.map((job) => ({
      name,
      data: parseJob(name, job.payload),
      opts: { ...opts, jobId: job.id },
    }));
    await withinTime(queue.addBulk(entries), SEND_TIMEOUT_MS);
  }
}
