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
import { DeliverProgress } from './deliver-webhook.processor.js';
import { DeliverWebhook, WebhookSecrets } from './deliver-webhook.js';

/** Deliveries that one worker process sends at once. */
export const WEBHOOK_CONCURRENCY = 20;

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
    provide: DeliverWebhook,
    inject: [
      WebhookDeliveryStore,
      WebhookSender,
      DeliveryDispatcher,
      WorkerPresence,
      WebhookMetrics,
      WORKER_CONFIG,
      LOGGER,
    ],
    useFactory: (
      deliveries: WebhookDeliveryStore,
      sender: WebhookSender,
      dispatcher: DeliveryDispatcher,
      presence: WorkerPresence,
      metrics: WebhookMetrics,
      config: AppConfig,
      logger: Logger,
    ) => {
      const { encryptionKey } = config;
      const box = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
      return new DeliverWebhook({
        deliveries,
        workerId: () => presentName(presence),
        secrets: new WebhookSecrets(box, logger),
        sender,
        receiverConcurrency: config.webhooks.receiverConcurrency,
        pauseAfter: (failures) => pauseAfter(failures, Math.random()),
        clock: systemClock,
        random: () => Math.random(),
        logger,
        onAttempt: (result, seconds) => metrics.record(result, seconds),
        onEnded: () => dispatcher.trigger(),
      });
    },
  },
];
