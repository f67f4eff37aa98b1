import type { Provider } from '@nestjs/common';
import { Dispatcher } from '#libs/agent-core';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { rateLimited } from '#libs/observability';
import {
  ExecutionDispatchStore,
  WebhookDeliveryStore,
  type DispatchedExecution,
  type DueDelivery,
} from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { DataSource } from 'typeorm';
import { LOGGER, WORKER_CONFIG } from './worker.tokens.js';

export class ExecutionDispatcher extends Dispatcher<DispatchedExecution> {}
export class DeliveryDispatcher extends Dispatcher<DueDelivery> {}

/** A job that nobody claimed for so long is taken for lost and sent again. */
const REDISPATCH_AFTER_MS = 30_000;
const DELIVERY_BATCH = 200;

/** Who sends jobs: for executions that can run, and for webhooks that are due. */
export const dispatchProviders: Provider[] = [
  {
    provide: ExecutionDispatcher,
    inject: [DataSource, JobProducer, WORKER_CONFIG, LOGGER],
    useFactory: (dataSource: DataSource, jobs: JobProducer, config: AppConfig, logger: Logger) => {
      const store = new ExecutionDispatchStore(dataSource);
      const { tenantInFlightCap, queueTarget } = config.dispatch;
      const options = { queueTarget, tenantInFlightCap, redispatchAfterMs: REDISPATCH_AFTER_MS };
      return new ExecutionDispatcher(
        { take: () => store.take(options), untake: (due) => store.untake(due) },
        (due) => jobs.send('execute', due.map(toExecuteJob)),
        warnRarely(logger, 'executions not dispatched'),
      );
    },
  },
  {
    provide: DeliveryDispatcher,
    inject: [DataSource, JobProducer, LOGGER],
    useFactory: (dataSource: DataSource, jobs: JobProducer, logger: Logger) => {
      const store = new WebhookDeliveryStore(dataSource);
      return new DeliveryDispatcher(
        { take: () => store.take(DELIVERY_BATCH, REDISPATCH_AFTER_MS), untake: (due) => store.untake(due) },
        (due) => jobs.send('deliver-webhook', due.map(toDeliveryJob)),
        warnRarely(logger, 'webhooks not dispatched'),
      );
    },
  },
];

function toExecuteJob({ executionId, attempt }: DispatchedExecution) {
  return { id: `execution-${executionId}-${attempt}`, payload: { v: 1 as const, executionId } };
}

function toDeliveryJob({ id, attempt }: DueDelivery) {
  return { id: `${id}-${attempt}`, payload: { v: 1 as const, deliveryId: id } };
}

function warnRarely(logger: Logger, message: string): (error: unknown) => void {
  return rateLimited<unknown>(
    (err, suppressed) => logger.warn({ err, suppressed }, message),
    1_000,
    Date.now,
  );
}
