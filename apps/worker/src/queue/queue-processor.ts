import { WorkerHost } from '@nestjs/bullmq';
import type { ProgressWatch } from '../health/progress-watch.js';

/** Does the jobs of one queue. The registrar starts and ends every provider that is one. */
export abstract class QueueProcessor extends WorkerHost {
  /** Jobs at once, when it starts. */
  abstract readonly concurrency: number;
  abstract readonly progress: ProgressWatch;

  /** Resolves when what its jobs have begun, and what goes on beside them, has ended. */
  ended(): Promise<void> {
    return Promise.resolve();
  }
}
