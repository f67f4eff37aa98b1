import { Inject, Injectable, Module } from '@nestjs/common';
import { systemClock } from '#libs/kernel';
import { Metrics, warnRarely, WorkMetrics, type Logger } from '#libs/observability';
import { readWorkOverview } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { SUSPECT_AFTER_LOSSES } from '../execute/suspects.js';
import { LOGGER } from '../worker.tokens.js';
import { DispatchTasks } from './dispatch-tasks.js';
import { Housekeeper } from './housekeeper.js';
import { KnowledgeTasks } from './knowledge-tasks.js';
import { RetentionTasks } from './retention-tasks.js';

@Injectable()
class WorkerHousekeeper extends Housekeeper {
  constructor(
    dispatch: DispatchTasks,
    retention: RetentionTasks,
    knowledge: KnowledgeTasks,
    @Inject(LOGGER) logger: Logger,
  ) {
    super([...dispatch.tasks, ...retention.tasks, ...knowledge.tasks], logger);
  }
}

/** Metrics of the whole service's work; only workers with the housekeeping role report them. */
@Injectable()
class ServiceWorkMetrics extends WorkMetrics {
  constructor(metrics: Metrics, dataSource: DataSource, @Inject(LOGGER) logger: Logger) {
    super(
      metrics,
      () => readWorkOverview(dataSource, SUSPECT_AFTER_LOSSES),
      systemClock,
      warnRarely(logger, 'work not measured'),
    );
  }
}

/** Finds lost work and deletes expired data. */
@Module({
  providers: [
    DispatchTasks,
    RetentionTasks,
    KnowledgeTasks,
    { provide: Housekeeper, useClass: WorkerHousekeeper },
    { provide: WorkMetrics, useClass: ServiceWorkMetrics },
  ],
  exports: [Housekeeper],
})
export class HousekeepingModule {}
