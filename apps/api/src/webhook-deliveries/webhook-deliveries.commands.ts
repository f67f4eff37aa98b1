import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import { WebhookDeliveryLogStore, type WebhookDeliveryView } from '#libs/persistence';
import { webhookDeliveryNotFound, webhookEndpointDisabled } from './webhook-deliveries.faults.js';

/** What may be asked of a delivery. */
@Injectable()
export class WebhookDeliveriesCommands {
  constructor(private readonly deliveries: WebhookDeliveryLogStore) {}

  /** Sends it again, with the same id and body. Throws `NOT_FOUND` and `WEBHOOK_ENDPOINT_DISABLED`. */
  async redeliver(tenantId: string, id: string): Promise<WebhookDeliveryView> {
    const redelivery = await this.deliveries.redeliver(tenantId, id);
    switch (redelivery) {
      case 'accepted':
        return this.find(tenantId, id);
      case 'not_found':
        throw webhookDeliveryNotFound();
      case 'endpoint_disabled':
        throw webhookEndpointDisabled();
      default:
        return assertNever(redelivery);
    }
  }

  private async find(tenantId: string, id: string): Promise<WebhookDeliveryView> {
    const delivery = await this.deliveries.find(tenantId, id);
    if (delivery === null) throw webhookDeliveryNotFound();
    return delivery;
  }
}
