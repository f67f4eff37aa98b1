import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { TryTool } from './try-tool.js';

/** Of the tools that this process tries. */
export class TrialProgress extends ProgressWatch {}

/** The API waits for it, and reads the answer where it is written. */
@Processor('try-tool', QUEUE_WORKER_OPTIONS)
export class TryToolProcessor extends WorkerHost {
  constructor(
    private readonly tryTool: TryTool,
    readonly progress: TrialProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<boolean> {
    const { tenantId, trialId } = parseJob('try-tool', job.data);
    const end = this.progress.begin();
    try {
      await this.tryTool.execute(tenantId, trialId);
      return true;
    } finally {
      end();
    }
  }
}
