import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { isExecutionOverdue } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { overdueAfter, stuckAfter, ProgressWatch } from '../health/progress-watch.js';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Detects that executions are due while this process has free slots and claims none. */
@Injectable()
export class ExecuteProgress extends ProgressWatch {
  constructor(dataSource: DataSource, @Inject(WORKER_CONFIG) config: AppConfig) {
    super(
      () => isExecutionOverdue(dataSource, { forMs: overdueAfter(config), ...config.dispatch }),
      config.worker.concurrency,
      stuckAfter(config),
      systemClock,
    );
  }
}
