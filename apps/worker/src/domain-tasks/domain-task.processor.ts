import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { PerformTask } from './perform-task.js';

/** Of the tasks that this process tries. */
export class TaskProgress extends ProgressWatch {}

/** A job says: a task of a domain may be due. Whether it is, is in the database. */
@Processor('domain-task', QUEUE_WORKER_OPTIONS)
export class DomainTaskProcessor extends WorkerHost {
  constructor(
    private readonly performTask: PerformTask,
    readonly progress: TaskProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const { taskId } = parseJob('domain-task', job.data);
    const end = this.progress.begin();
    try {
      await this.performTask.execute(taskId);
    } finally {
      end();
    }
  }
}
