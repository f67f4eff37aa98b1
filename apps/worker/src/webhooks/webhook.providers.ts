import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { WebhookDeliveryStore } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { pauseAfter, WebhookSender } from '#libs/webhooks';
import { DataSource } from 'typeorm';
import { DeliveryDispatcher } from '../dispatch.providers.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { DeliverWebhook } from './deliver-webhook.use-case.js';
import { WebhookSecrets } from './webhook-secrets.js';

export const webhookProviders: Provider[] = [
  {
    provide: DeliverWebhook,
    inject: [DataSource, DeliveryDispatcher, WORKER_CONFIG, LOGGER],
    useFactory: (
      dataSource: DataSource,
      deliveries: DeliveryDispatcher,
      config: AppConfig,
      logger: Logger,
    ) => {
      const { encryptionKey } = config;
      const box = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
      const sender = new WebhookSender({ allowLoopback: config.webhooks.allowLoopback });
      return new DeliverWebhook({
        deliveries: new WebhookDeliveryStore(dataSource),
        secrets: new WebhookSecrets(box, logger),
        sender,
        receiverConcurrency: config.webhooks.receiverConcurrency,
        pauseAfter: (failures) => pauseAfter(failures, Math.random()),
        clock: systemClock,
        random: () => Math.random(),
        logger,
        onEnded: () => deliveries.poke(),
      });
    },
  },
];
