import { Global, Module } from '@nestjs/common';
import { PresenceModule } from '../presence/presence.module.js';
import { InlineDeliverer } from './inline-deliverer.js';
import {
  DeliverProgress,
  WorkerInlineDeliverer,
  WorkerDeliverWebhook,
  WorkerDeliveryAttempts,
  WorkerSendRoom,
  WorkerWebhookSender,
} from './worker-deliveries.js';
import { DeliverWebhook } from './deliver-webhook.js';
import { DeliverWebhookProcessor } from './deliver-webhook.processor.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { SendRoom } from './send-room.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';

/** Sends webhooks. Global, so that a worker with the execute role can deliver inline. */
@Global()
@Module({
  imports: [PresenceModule],
  providers: [
    WebhookSecrets,
    { provide: WebhookSender, useClass: WorkerWebhookSender },
    { provide: SendRoom, useClass: WorkerSendRoom },
    { provide: DeliveryAttempts, useClass: WorkerDeliveryAttempts },
    { provide: DeliverWebhook, useClass: WorkerDeliverWebhook },
    { provide: InlineDeliverer, useClass: WorkerInlineDeliverer },
    DeliverProgress,
    DeliverWebhookProcessor,
  ],
  exports: [InlineDeliverer],
})
export class WebhooksModule {}
