import { randomUUID } from 'node:crypto';
import type { FactoryProvider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Dispatcher } from '#libs/executions';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { executeJob } from '#libs/payloads';
import { rateLimited } from '#libs/observability';
import { ExecutionDispatchStore, type DispatchedExecution } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { PinoLogger } from 'nestjs-pino';
import { API_CONFIG } from '../api.tokens.js';

/** Sends the jobs of executions that can run; triggered after every accepted one, so that it starts at once. */
export class ExecutionDispatcher extends Dispatcher<DispatchedExecution> {}

const WARN_EVERY_MS = 1_000;

export const executionDispatcherProvider: FactoryProvider<ExecutionDispatcher> = {
  provide: ExecutionDispatcher,
  inject: [DataSource, JobProducer, API_CONFIG, PinoLogger],
  useFactory: (dataSource: DataSource, jobs: JobProducer, config: AppConfig, logger: PinoLogger) => {
    const store = new ExecutionDispatchStore(dataSource);
    // The submit was answered already, and the housekeeping role repeats the dispatch: a warning is all there is to do.
    const warn = (err: unknown, suppressed: number): void =>
      logger.warn({ err, suppressed }, 'executions not dispatched');
    return new ExecutionDispatcher(
      { take: () => store.take(config.dispatch), requeue: (due) => store.requeue(due) },
      (due) =>
        jobs.send(
          'execute',
          due.map(({ executionId }) => executeJob(executionId, randomUUID())),
        ),
      rateLimited(warn, WARN_EVERY_MS, () => systemClock.monotonic()),
    );
  },
};
