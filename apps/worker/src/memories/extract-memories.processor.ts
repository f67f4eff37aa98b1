import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { ExtractMemories } from '#libs/executions';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { ExtractionDispatcher } from './extraction-dispatcher.js';

/** Of the executions that this process learns of. */
export class MemoryProgress extends ProgressWatch {}

/** A job says: something may be to be learnt of an execution. Whether it is, is in the database. */
@Processor('extract-memories', QUEUE_WORKER_OPTIONS)
export class ExtractMemoriesProcessor extends WorkerHost {
  constructor(
    private readonly extractMemories: ExtractMemories,
    readonly progress: MemoryProgress,
    private readonly dispatcher: ExtractionDispatcher,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const { executionId } = parseJob('extract-memories', job.data);
    const end = this.progress.begin();
    try {
      await this.extractMemories.execute(executionId);
    } finally {
      end();
      // The next execution of the same executor may have waited for this one.
      this.dispatcher.trigger();
    }
  }
}
