import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import { systemClock } from '#libs/kernel';
import { jobCatalogue, parseJob, type QueueName } from '#libs/payloads';
import type { NewJob } from './job-producer.js';
import { withinTime } from './within-time.js';

/** Time limits of a call, in milliseconds. */
export interface CallLimits {
  /** Time until a worker takes the job. */
  readonly takenWithinMs: number;
  /** Time from then until the result. */
  readonly answeredWithinMs: number;
}

export type JobAnswer =
  | { readonly kind: 'answered'; readonly value: unknown }
  /** No worker took the job, and none will. */
  | { readonly kind: 'not_taken' }
  /** The job failed, or its worker exceeded the time limit. */
  | { readonly kind: 'unanswered' };

const ASK_EVERY_MS = 100;
const ANSWER_WITHIN_MS = 3_000;
/** Seconds until a result is removed that its caller, e.g. a crashed process, never fetched. */
const KEPT_SECONDS = 300;

/**
 * Runs a job and waits for its result. For short-lived questions: no result is stored for long, and the caller may
 * repeat the call. It polls for the result, which both backends support; an announcement would cost one more
 * connection.
 */
export class JobCaller {
  constructor(private readonly queues: ReadonlyMap<QueueName, Queue>) {}

  /** Throws `QUEUE_UNAVAILABLE` if the queue does not respond. */
  async call<Name extends QueueName>(
    name: Name,
    job: NewJob<Name>,
    { takenWithinMs, answeredWithinMs }: CallLimits,
  ): Promise<JobAnswer> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`the queue is unknown: "${name}"`);
    const kept = { age: KEPT_SECONDS };
    const options = {
      jobId: job.id,
      attempts: jobCatalogue[name].attempts,
      removeOnComplete: kept,
      removeOnFail: kept,
    };
    await withinTime(queue.add(name, parseJob(name, job.payload), options), ANSWER_WITHIN_MS);
    const since = systemClock.monotonic();
    let takenAt: number | null = null;
    for (;;) {
      const found = await this.look(queue, job.id);
      const now = systemClock.monotonic();
      if (found?.finishedOn !== undefined) return await readAnswer(found);
      if (found?.processedOn !== undefined) takenAt ??= now;
      const isOver = takenAt === null ? now - since > takenWithinMs : now - takenAt > answeredWithinMs;
      if (isOver || found === null) {
        // An active job cannot be removed, and ends by itself.
        await found?.remove().catch(() => undefined);
        return { kind: takenAt === null && found !== null ? 'not_taken' : 'unanswered' };
      }
      await sleep(ASK_EVERY_MS);
    }
  }

  private async look(queue: Queue, id: string): Promise<Job | null> {
    const asked: Promise<unknown> = queue.getJob(id);
    await withinTime(asked, ANSWER_WITHIN_MS);
    return ((await asked) as Job | undefined) ?? null;
  }
}

async function readAnswer(job: Job): Promise<JobAnswer> {
  const answer: JobAnswer =
    typeof job.failedReason === 'string' && job.failedReason !== ''
      ? { kind: 'unanswered' }
      : { kind: 'answered', value: job.returnvalue as unknown };
  // Only this caller reads the result; if the removal fails, the job is removed by its age.
  await job.remove().catch(() => undefined);
  return answer;
}
