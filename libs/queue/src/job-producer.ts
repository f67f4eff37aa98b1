import type { Queue } from 'bullmq';
import { AppError } from '#libs/kernel';
import { jobCatalogue, parseJob, type JobPayload, type QueueName } from '#libs/payloads';
import { withinTime } from './within-time.js';

export interface NewJob<Name extends QueueName> {
  /** A job that is sent again under the same id while the first one exists is one job. No `:`, not digits only. */
  readonly id: string;
  readonly payload: JobPayload<Name>;
}

/** A queue that does not answer must not hold up its callers: what is not sent is sent again later. */
const SEND_TIMEOUT_MS = 3_000;

/** Sends jobs. Finished ones are removed at once: PostgreSQL keeps the history, the queue only delivers. */
export class JobProducer {
  constructor(private readonly queues: ReadonlyMap<QueueName, Queue>) {}

  /** @param place where they begin to wait; those that are sent to the front last are the first */
  async send<Name extends QueueName>(
    name: Name,
    jobs: readonly NewJob<Name>[],
    place: 'front' | 'end' = 'end',
  ): Promise<void> {
    const queue = this.queues.get(name);
    if (!queue)
      throw new AppError({ code: 'UNKNOWN_QUEUE', kind: 'internal', message: `there is no queue "${name}"` });
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
