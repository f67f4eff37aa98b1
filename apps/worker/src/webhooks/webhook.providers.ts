import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { WebhookMetrics, type Logger } from '#libs/observability';
import { isDeliveryOverdue, WebhookDeliveryStore, WorkerPresence } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { pauseAfter, WebhookSender } from '#libs/webhooks';
import { DataSource } from 'typeorm';
import { DeliveryDispatcher } from '../dispatch.providers.js';
import { presentName } from '../presence.provider.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { BornDeliveries, NEWCOMER_MS } from './born-deliveries.js';
import { DeliverProgress } from './deliver-webhook.processor.js';
import { DeliverWebhook } from './deliver-webhook.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { SendRoom } from './send-room.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Deliveries that one worker process sends at once. */
export const WEBHOOK_CONCURRENCY = 20;

/** Deliveries that one worker process holds from their birth on, those in line included: what it ends within a moment. */
const MOST_BORN = 3 * WEBHOOK_CONCURRENCY;

/** So long a delivery waits in line for the receiver's other requests; many slow ones are better off in their turn. */
const LINE_MS = 2_000;

export const webhookProviders: Provider[] = [
  {
    provide: DeliverProgress,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, config: AppConfig) =>
      new DeliverProgress(
        () => isDeliveryOverdue(dataSource, { forMs: overdueAfter(config), ...config.webhooks }),
        WEBHOOK_CONCURRENCY,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: WebhookDeliveryStore,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new WebhookDeliveryStore(dataSource),
  },
  {
    provide: WebhookSender,
    inject: [WORKER_CONFIG],
    useFactory: (config: AppConfig) => new WebhookSender({ allowLoopback: config.webhooks.allowLoopback }),
  },
  {
    provide: SendRoom,
    inject: [WORKER_CONFIG],
    useFactory: ({ webhooks }: AppConfig) =>
      new SendRoom({
        total: WEBHOOK_CONCURRENCY,
        receiver: webhooks.receiverConcurrency,
        tenant: webhooks.tenantConcurrency,
      }),
  },
  {
    provide: DeliveryAttempts,
    inject: [WebhookDeliveryStore, WebhookSender, WebhookMetrics, WORKER_CONFIG, LOGGER],
    useFactory: (
      deliveries: WebhookDeliveryStore,
      sender: WebhookSender,
      metrics: WebhookMetrics,
      { encryptionKey, webhooks }: AppConfig,
      logger: Logger,
    ) => {
      const box = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
      return new DeliveryAttempts({
        deliveries,
        secrets: new WebhookSecrets(box, logger),
        sender,
        pauseAfter: (failures) => pauseAfter(failures, Math.random()),
        tenantConcurrency: webhooks.tenantConcurrency,
        clock: systemClock,
        random: () => Math.random(),
        logger,
        onAttempt: (result, seconds) => metrics.record(result, seconds),
      });
    },
  },
  {
    provide: DeliverWebhook,
    inject: [
      WebhookDeliveryStore,
      SendRoom,
      DeliveryAttempts,
      DeliveryDispatcher,
      WorkerPresence,
      WORKER_CONFIG,
    ],
    useFactory: (
      deliveries: WebhookDeliveryStore,
      room: SendRoom,
      attempts: DeliveryAttempts,
      dispatcher: DeliveryDispatcher,
      presence: WorkerPresence,
      { webhooks }: AppConfig,
    ) =>
      new DeliverWebhook({
        deliveries,
        workerId: () => presentName(presence),
        receiverConcurrency: webhooks.receiverConcurrency,
        room,
        attempts,
        onEnded: () => dispatcher.trigger(),
      }),
  },
  {
    provide: BornDeliveries,
    inject: [
      WebhookDeliveryStore,
      SendRoom,
      DeliveryAttempts,
      DeliverProgress,
      DeliveryDispatcher,
      WorkerPresence,
      WORKER_CONFIG,
      LOGGER,
    ],
    useFactory: (
      deliveries: WebhookDeliveryStore,
      room: SendRoom,
      attempts: DeliveryAttempts,
      progress: DeliverProgress,
      dispatcher: DeliveryDispatcher,
      presence: WorkerPresence,
      { webhooks }: AppConfig,
      logger: Logger,
    ) =>
      new BornDeliveries({
        deliveries,
        presentName: () => (presence.isPresent ? presence.workerId : null),
        room,
        attempts,
        most: MOST_BORN,
        tenantConcurrency: webhooks.tenantConcurrency,
        newcomerMs: NEWCOMER_MS,
        patience: () => AbortSignal.timeout(LINE_MS),
        onBegin: () => progress.begin(),
        onWaiting: () => dispatcher.trigger(),
        logger,
      }),
  },
];
