import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ExecutionMeter } from '#libs/executions';
import { pause, systemClock, systemTimers } from '#libs/kernel';
import { ISOLATION_PROGRAM, WORKER_CONFIG } from '../worker.tokens.js';
import { ProcessIsolation } from './process-isolation.js';

/** Milliseconds that a process waits for the next suspect. */
const KEPT_FOR_MS = 10_000;
/** Milliseconds after a start that failed until the next one. */
const PAUSE_MS = 5_000;

/** Isolation of the suspects that this worker claims. */
@Injectable()
export class WorkerIsolation extends ProcessIsolation implements OnApplicationShutdown {
  constructor(
    @Inject(ISOLATION_PROGRAM) program: string,
    @Inject(WORKER_CONFIG) { worker: { isolation, hangLimitMs }, execution: { leaseMs } }: AppConfig,
    meter: ExecutionMeter,
  ) {
    const { concurrency, heapMb } = isolation;
    const limits = { heapMb, leaseMs, hangLimitMs, keptForMs: KEPT_FOR_MS };
    const pauseAfterFailure = () => pause(systemTimers, PAUSE_MS);
    super({ program, ...limits, pauseAfterFailure, clock: systemClock, meter }, concurrency);
  }

  onApplicationShutdown(): void {
    this.close();
  }
}
