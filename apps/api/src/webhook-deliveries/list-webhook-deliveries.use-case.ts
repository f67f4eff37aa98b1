import { Injectable } from '@nestjs/common';
import { WebhookDeliveryLogStore, type WebhookDeliveryView } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { WebhookDeliveryListQuery } from './webhook-delivery.dto.js';

/** Deliveries of the tenant, newest first. */
@Injectable()
export class ListWebhookDeliveries {
  constructor(private readonly deliveries: WebhookDeliveryLogStore) {}

  async execute(tenantId: string, query: WebhookDeliveryListQuery): Promise<Page<WebhookDeliveryView>> {
    const { limit, cursor: beforeId, endpoint_id: endpointId, execution_id: executionId, status } = query;
    const filter = { endpointId, executionId, status, beforeId, limit };
    return toPage(await this.deliveries.list(tenantId, filter), byId);
  }
}
