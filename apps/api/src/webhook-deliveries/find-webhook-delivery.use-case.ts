import { Injectable } from '@nestjs/common';
import {
  WebhookDeliveryLogStore,
  type WebhookAttemptView,
  type WebhookDeliveryView,
} from '#libs/persistence';
import { webhookDeliveryNotFound } from './webhook-delivery.faults.js';

/** One delivery of the tenant with every attempt. Throws `NOT_FOUND`. */
@Injectable()
export class FindWebhookDelivery {
  constructor(private readonly deliveries: WebhookDeliveryLogStore) {}

  async execute(
    tenantId: string,
    id: string,
  ): Promise<WebhookDeliveryView & { attempts: WebhookAttemptView[] }> {
    const delivery = await this.deliveries.find(tenantId, id);
    if (delivery === null) throw webhookDeliveryNotFound();
    return { ...delivery, attempts: await this.deliveries.listAttempts(tenantId, id) };
  }
}
