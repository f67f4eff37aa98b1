import { WorkerHost } from '@nestjs/bullmq';
import type { ProgressWatch } from '../health/progress-watch.js';

/** Runs the jobs of one queue. The registrar starts and stops all providers of this type. */
export abstract class QueueProcessor extends WorkerHost {
  /** Initial maximum of parallel jobs. */
  abstract readonly concurrency: number;
  abstract readonly progress: ProgressWatch;

  /** Resolves once all work that its jobs started has ended. */
  ended(): Promise<void> {
    return Promise.resolve();
  }
}
