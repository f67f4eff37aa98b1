import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import { webhookEndpointNotFound } from './webhook-endpoint.faults.js';

/** One endpoint of the tenant. Throws `NOT_FOUND`. */
@Injectable()
export class FindWebhookEndpoint {
  constructor(private readonly endpoints: WebhookEndpointStore) {}

  async execute(tenantId: string, id: number): Promise<WebhookEndpointView> {
    const endpoint = await this.endpoints.find(tenantId, id);
    if (endpoint === null) throw webhookEndpointNotFound();
    return endpoint;
  }
}
