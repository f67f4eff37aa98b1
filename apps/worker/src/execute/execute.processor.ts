import { randomUUID } from 'node:crypto';
import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { AppConfig } from '#libs/config';
import { ExecutionSlots, JobIntake } from '#libs/executions';
import { executeJob, executionsOf, parseJob } from '#libs/payloads';
import { JobProducer } from '#libs/queue';
import { QueueProcessor } from '../queue/queue-processor.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { ExecuteProgress } from './slots.js';

/**
 * Processes jobs that name executions to claim. A job has no result and ends once they are claimed; all outcomes are in
 * the database. As many jobs are in progress as there are slots, so that the claims of their executions share statements.
 * No job is fetched while all slots are taken, so that other workers get it.
 */
@Processor('execute', QUEUE_WORKER_OPTIONS)
export class ExecuteProcessor extends QueueProcessor {
  readonly concurrency: number;
  private inHand = 0;

  constructor(
    private readonly intake: JobIntake,
    readonly progress: ExecuteProgress,
    private readonly places: ExecutionSlots,
    private readonly jobs: JobProducer,
    @Inject(WORKER_CONFIG) { worker }: AppConfig,
  ) {
    super();
    this.concurrency = worker.concurrency;
  }

  override async process(job: Job): Promise<void> {
    const payload = parseJob('execute', job.data);
    this.inHand += 1;
    try {
      const asked = executionsOf(payload).map((executionId) => ({ executionId }));
      const [first, ...others] = (await this.intake.start(asked)).map(({ executionId }) => executionId);
      if (first !== undefined)
        await this.jobs.send('execute', [executeJob([first, ...others], randomUUID())], 'front');
      this.fetchWhatFits();
      await this.intake.untilFree();
    } finally {
      this.inHand -= 1;
      this.fetchWhatFits();
    }
  }

  /** Resolves once no claimed execution runs. */
  override ended(): Promise<void> {
    return this.intake.ended();
  }

  /** At least one: BullMQ allows no lower value, and the job that fills the last slot waits until one is free. */
  private fetchWhatFits(): void {
    this.worker.concurrency = Math.max(1, this.inHand + this.places.free);
  }
}
