import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import type { NewWebhookEndpointDto } from './webhook-endpoint.dto.js';
import { tooManyWebhookEndpoints } from './webhook-endpoint.faults.js';
import { WebhookSecretKeeper } from './webhook-secret-keeper.js';

/**
 * A new endpoint with its secret, which is shown this once. Throws `ENCRYPTION_NOT_CONFIGURED`, `TOO_MANY_ENDPOINTS`.
 */
@Injectable()
export class CreateWebhookEndpoint {
  constructor(
    private readonly endpoints: WebhookEndpointStore,
    private readonly keeper: WebhookSecretKeeper,
  ) {}

  async execute(
    tenantId: string,
    dto: NewWebhookEndpointDto,
  ): Promise<WebhookEndpointView & { secret: string }> {
    const { secret, seal } = this.keeper.make(tenantId);
    const { url, events } = dto;
    const endpoint = await this.endpoints.create(tenantId, { url, events }, seal);
    if (endpoint === null) throw tooManyWebhookEndpoints();
    return { ...endpoint, secret };
  }
}
