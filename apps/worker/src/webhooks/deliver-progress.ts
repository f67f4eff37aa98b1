import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { isDeliveryOverdue } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { overdueAfter, stuckAfter, ProgressWatch } from '../health/progress-watch.js';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Maximum deliveries that one worker process sends at once. */
export const WEBHOOK_CONCURRENCY = 20;

/** Detects that webhook deliveries are due while this process could send them and takes none. */
@Injectable()
export class DeliverProgress extends ProgressWatch {
  constructor(dataSource: DataSource, @Inject(WORKER_CONFIG) config: AppConfig) {
    super(
      () => isDeliveryOverdue(dataSource, { forMs: overdueAfter(config), ...config.webhooks }),
      WEBHOOK_CONCURRENCY,
      stuckAfter(config),
      systemClock,
    );
  }
}
