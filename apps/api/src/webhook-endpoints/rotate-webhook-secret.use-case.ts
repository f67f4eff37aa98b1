import { Injectable } from '@nestjs/common';
import { WebhookEndpointStore, type WebhookEndpointView } from '#libs/persistence';
import { webhookEndpointNotFound } from './webhook-endpoint.faults.js';
import { WebhookSecretKeeper } from './webhook-secret-keeper.js';

/**
 * A new secret, shown this once; for a day requests carry a signature of the one before it too. Throws `NOT_FOUND`
 * and `ENCRYPTION_NOT_CONFIGURED`.
 */
@Injectable()
export class RotateWebhookSecret {
  constructor(
    private readonly endpoints: WebhookEndpointStore,
    private readonly keeper: WebhookSecretKeeper,
  ) {}

  async execute(tenantId: string, id: number): Promise<WebhookEndpointView & { secret: string }> {
    const { secret, seal } = this.keeper.make(tenantId);
    const endpoint = await this.endpoints.rotateSecret(tenantId, id, seal);
    if (endpoint === null) throw webhookEndpointNotFound();
    return { ...endpoint, secret };
  }
}
