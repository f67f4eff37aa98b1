import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ExecutionMeter } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { ISOLATION_PROGRAM, WORKER_CONFIG } from '../worker.tokens.js';
import { ProcessIsolation } from './process-isolation.js';

/** Isolation of the suspects that this worker claims. */
@Injectable()
export class WorkerIsolation extends ProcessIsolation {
  constructor(
    @Inject(ISOLATION_PROGRAM) program: string,
    @Inject(WORKER_CONFIG) { worker: { isolation, hangLimitMs }, execution: { leaseMs } }: AppConfig,
    meter: ExecutionMeter,
  ) {
    const { concurrency, heapMb } = isolation;
    super({ program, heapMb, leaseMs, hangLimitMs, clock: systemClock, meter }, concurrency);
  }
}
