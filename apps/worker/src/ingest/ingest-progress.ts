import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { isIngestionOverdue } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { overdueAfter, stuckAfter, ProgressWatch } from '../health/progress-watch.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { requireKnowledge } from './require-knowledge.js';

/** Detects that documents are due while this process could ingest them and takes none. */
@Injectable()
export class IngestProgress extends ProgressWatch {
  constructor(dataSource: DataSource, @Inject(WORKER_CONFIG) config: AppConfig) {
    super(
      () => isIngestionOverdue(dataSource, { forMs: overdueAfter(config) }),
      requireKnowledge(config).concurrency,
      stuckAfter(config),
      systemClock,
    );
  }
}
