import { randomUUID } from 'node:crypto';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { Places, TakeUp } from '#libs/executions';
import { executeJob, executionsOf, parseJob } from '#libs/payloads';
import { JobProducer } from '#libs/queue';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { ProgressWatch } from '../health/progress-watch.js';

/** Of the executions that this process takes up. */
export class ExecuteProgress extends ProgressWatch {}

/** Jobs whose executions are being claimed at once; what they name shares statements. */
export const JOBS_AT_ONCE = 8;

/**
 * A job says: look at these executions. Whatever becomes of them is in the database; the job itself has no result, and is
 * over when they are claimed. None is fetched while no place is free: others may have one.
 */
@Processor('execute', QUEUE_WORKER_OPTIONS)
export class ExecuteProcessor extends WorkerHost {
  private inHand = 0;

  constructor(
    private readonly takeUp: TakeUp,
    readonly progress: ExecuteProgress,
    private readonly places: Places,
    private readonly jobs: JobProducer,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const payload = parseJob('execute', job.data);
    this.inHand += 1;
    try {
      const [first, ...others] = await this.takeUp.takeUp(executionsOf(payload));
      if (first !== undefined)
        await this.jobs.send('execute', [executeJob([first, ...others], randomUUID())], 'front');
      this.fetchWhatFits();
      await this.takeUp.untilFree();
    } finally {
      this.inHand -= 1;
      this.fetchWhatFits();
    }
  }

  /** Resolves when nothing that was claimed runs any more. */
  ended(): Promise<void> {
    return this.takeUp.ended();
  }

  /** At least one: BullMQ knows no less, and the job that fills the last place keeps it until one is free. */
  private fetchWhatFits(): void {
    this.worker.concurrency = Math.max(1, Math.min(JOBS_AT_ONCE, this.inHand + this.places.free));
  }
}
