import type { FactoryProvider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Dispatcher } from '#libs/agent-core';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { rateLimited } from '#libs/observability';
import { ExecutionDispatchStore, type DispatchedExecution } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { PinoLogger } from 'nestjs-pino';
import { API_CONFIG } from '../api.tokens.js';

/** Sends the jobs of executions that can run; poked after every accepted one, so that it starts at once. */
export class ExecutionDispatcher extends Dispatcher<DispatchedExecution> {}

/** A job that nobody claimed for so long is taken for lost and sent again. */
const REDISPATCH_AFTER_MS = 30_000;
const WARN_EVERY_MS = 1_000;

export const executionDispatcherProvider: FactoryProvider<ExecutionDispatcher> = {
  provide: ExecutionDispatcher,
  inject: [DataSource, JobProducer, API_CONFIG, PinoLogger],
  useFactory: (dataSource: DataSource, jobs: JobProducer, config: AppConfig, logger: PinoLogger) => {
    const store = new ExecutionDispatchStore(dataSource);
    const { tenantInFlightCap, queueTarget } = config.dispatch;
    const options = { queueTarget, tenantInFlightCap, redispatchAfterMs: REDISPATCH_AFTER_MS };
    // The submit was answered already, and the housekeeping role repeats the dispatch: a warning is all there is to do.
    const warn = (err: unknown, suppressed: number): void =>
      logger.warn({ err, suppressed }, 'executions not dispatched');
    return new ExecutionDispatcher(
      { take: () => store.take(options), untake: (due) => store.untake(due) },
      (due) => jobs.send('execute', due.map(toExecuteJob)),
      rateLimited(warn, WARN_EVERY_MS, () => systemClock.now()),
    );
  },
};

function toExecuteJob({ executionId, attempt }: DispatchedExecution) {
  return { id: `execution-${executionId}-${attempt}`, payload: { v: 1 as const, executionId } };
}
