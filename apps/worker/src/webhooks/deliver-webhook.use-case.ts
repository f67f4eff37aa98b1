import type { Clock } from '#libs/kernel';
import type { ClaimedDelivery, DeliveryVerdict, WebhookDeliveryStore } from '#libs/persistence';
import type { WebhookSender } from '#libs/webhooks';

export abstract class DeliverWebhook {
  abstract execute(deliveryId: string): Promise<void>;
}
