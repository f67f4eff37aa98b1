import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore } from '#libs/persistence';
import { webhookEndpointNotFound } from './webhook-endpoint.faults.js';

/** Removes an endpoint with its deliveries. Throws `NOT_FOUND`. */
@Injectable()
export class DeleteWebhookEndpoint {
  constructor(private readonly endpoints: WebhookEndpointStore) {}

  async execute(tenantId: string, id: number): Promise<void> {
    if (!(await this.endpoints.delete(tenantId, id))) throw webhookEndpointNotFound();
  }
}
