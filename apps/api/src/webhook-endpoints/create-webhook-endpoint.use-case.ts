import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import { generateWebhookSecret } from '#libs/webhooks';
import type { NewWebhookEndpointDto } from './webhook-endpoint.dto.js';

/** A new endpoint with its secret, which is shown this once. */
@Injectable()
export class CreateWebhookEndpoint {
  constructor(private readonly endpoints: WebhookEndpointStore) {}

  async execute(
    tenantId: string,
    dto: NewWebhookEndpointDto,
  ): Promise<WebhookEndpointView & { secret: string }> {
    const secret = generateWebhookSecret();
    const endpoint = await this.endpoints.create(tenantId, { url: dto.url, events: dto.events, secret });
    return { ...endpoint, secret };
  }
}
