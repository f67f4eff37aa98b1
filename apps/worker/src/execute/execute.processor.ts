import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { Places, RunExecution } from '#libs/executions';
import { parseJob } from '#libs/payloads';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { DrainSignal } from '../shutdown/shutdown.js';
import { ProgressWatch } from '../health/progress-watch.js';

/** Of the executions that this process takes up. */
export class ExecuteProgress extends ProgressWatch {}

/** A job says: look at this execution. Whatever becomes of it is in the database; the job itself has no result. */
@Processor('execute', QUEUE_WORKER_OPTIONS)
export class ExecuteProcessor extends WorkerHost {
  constructor(
    private readonly runExecution: RunExecution,
    private readonly drain: DrainSignal,
    readonly progress: ExecuteProgress,
    private readonly places: Places,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const { executionId } = parseJob('execute', job.data);
    const end = this.progress.begin();
    const leave = this.places.take();
    try {
      await this.runExecution.execute(executionId, this.drain.signal);
    } finally {
      leave();
      end();
    }
  }
}
