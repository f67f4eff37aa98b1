import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import type { WebhookEndpointPatchDto } from './webhook-endpoint.dto.js';
import { webhookEndpointNotFound } from './webhook-endpoint.faults.js';

/** Some or all fields of an endpoint; its secret stays. Throws `NOT_FOUND`. */
@Injectable()
export class ChangeWebhookEndpoint {
  constructor(private readonly endpoints: WebhookEndpointStore) {}

  async execute(tenantId: string, id: number, patch: WebhookEndpointPatchDto): Promise<WebhookEndpointView> {
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    const endpoint = await this.endpoints.update(tenantId, id, given);
    if (endpoint === null) throw webhookEndpointNotFound();
    return endpoint;
  }
}
