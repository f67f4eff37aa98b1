import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import { systemClock } from '#libs/kernel';
import { jobCatalogue, parseJob, type QueueName } from '#libs/payloads';
import type { NewJob } from './job-producer.js';
import { withinTime } from './within-time.js';

/** How long somebody waits, in milliseconds. */
export interface CallLimits {
  /** For a worker to take the job. */
  readonly takenWithinMs: number;
  /** From then on, for its answer. */
  readonly answeredWithinMs: number;
}

export type JobAnswer =
  | { readonly kind: 'answered'; readonly value: unknown }
  /** No worker took it, and none will. */
  | { readonly kind: 'not_taken' }
  /** A worker failed over it, or takes longer. */
  | { readonly kind: 'unanswered' };

const ASK_EVERY_MS = 100;
const ANSWER_WITHIN_MS = 3_000;
/** Of answers that nobody came for, since the process that asked has died. */
const KEPT_SECONDS = 300;

/**
 * Sends a job whose answer somebody waits for. For what is true for a moment only: nothing of it is stored, and whoever
 * asked may ask again. Looks for the answer again and again, which both backends can; waiting for it to be announced
 * would take a connection more.
 */
export class JobCaller {
  constructor(private readonly queues: ReadonlyMap<QueueName, Queue>) {}

  /** Throws `QUEUE_UNAVAILABLE` where the queue does not answer. */
  async call<Name extends QueueName>(
    name: Name,
    job: NewJob<Name>,
    { takenWithinMs, answeredWithinMs }: CallLimits,
  ): Promise<JobAnswer> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`there is no queue "${name}"`);
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
        // One that a worker runs cannot be removed, and ends by itself.
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
  // Nobody else asks for it; where this fails, it goes by its age.
  await job.remove().catch(() => undefined);
  return answer;
}
