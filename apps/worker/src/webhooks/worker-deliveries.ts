import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { WebhookMetrics, type Logger } from '#libs/observability';
import { WebhookDeliveryStore, WorkerPresence, isDeliveryOverdue } from '#libs/persistence';
import { presentName } from '../presence/presence.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { InlineDeliverer, NEWCOMER_MS } from './inline-deliverer.js';
import { DeliverWebhook } from './deliver-webhook.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { pauseAfter } from './evaluate-delivery.js';
import { SendRoom } from './send-room.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { DataSource } from 'typeorm';
import { overdueAfter, stuckAfter, ProgressWatch } from '../health/progress-watch.js';

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

/** Maximum inline deliveries of one worker process, including those in line. */
const MAX_BORN = 3 * WEBHOOK_CONCURRENCY;

/** Maximum wait in line for a slot of the receiver, in milliseconds; slow deliveries go through the queue. */
const LINE_MS = 2_000;

@Injectable()
export class WorkerWebhookSender extends WebhookSender {
  constructor(@Inject(WORKER_CONFIG) { webhooks }: AppConfig) {
    super({ allowLoopback: webhooks.allowLoopback });
  }
}

@Injectable()
export class WorkerSendRoom extends SendRoom {
  constructor(@Inject(WORKER_CONFIG) { webhooks }: AppConfig) {
    super({
      total: WEBHOOK_CONCURRENCY,
      receiver: webhooks.receiverConcurrency,
      tenant: webhooks.tenantConcurrency,
    });
  }
}

@Injectable()
export class WorkerDeliveryAttempts extends DeliveryAttempts {
  constructor(
    deliveries: WebhookDeliveryStore,
    secrets: WebhookSecrets,
    sender: WebhookSender,
    metrics: WebhookMetrics,
    @Inject(WORKER_CONFIG) { webhooks }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      deliveries,
      secrets,
      sender,
      pauseAfter: (failures) => pauseAfter(failures, Math.random()),
      tenantConcurrency: webhooks.tenantConcurrency,
      clock: systemClock,
      random: () => Math.random(),
      logger,
      onAttempt: (result, seconds) => metrics.record(result, seconds),
    });
  }
}

@Injectable()
export class WorkerDeliverWebhook extends DeliverWebhook {
  constructor(
    deliveries: WebhookDeliveryStore,
    room: SendRoom,
    attempts: DeliveryAttempts,
    dispatcher: DeliveryDispatcher,
    presence: WorkerPresence,
    @Inject(WORKER_CONFIG) { webhooks }: AppConfig,
  ) {
    super({
      deliveries,
      workerId: () => presentName(presence),
      receiverConcurrency: webhooks.receiverConcurrency,
      room,
      attempts,
      onEnded: () => dispatcher.trigger(),
    });
  }
}

@Injectable()
export class WorkerInlineDeliverer extends InlineDeliverer {
  constructor(
    deliveries: WebhookDeliveryStore,
    room: SendRoom,
    attempts: DeliveryAttempts,
    progress: DeliverProgress,
    dispatcher: DeliveryDispatcher,
    presence: WorkerPresence,
    @Inject(WORKER_CONFIG) { webhooks }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      deliveries,
      presentName: () => (presence.isPresent ? presence.workerId : null),
      room,
      attempts,
      most: MAX_BORN,
      tenantConcurrency: webhooks.tenantConcurrency,
      newcomerMs: NEWCOMER_MS,
      waitSignal: () => AbortSignal.timeout(LINE_MS),
      onBegin: () => progress.begin(),
      onWaiting: () => dispatcher.trigger(),
      logger,
    });
  }
}
