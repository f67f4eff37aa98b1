import { Injectable } from '@nestjs/common';
import { WebhookSigningSecretStore, type WebhookSigningSecretView } from '#libs/persistence';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';

/**
 * A new secret, shown this once, for the webhooks that come with executions; for a day requests carry a signature of the
 * one before it too. Throws `ENCRYPTION_NOT_CONFIGURED`.
 */
@Injectable()
export class RotateWebhookSigningSecret {
  constructor(
    private readonly secrets: WebhookSigningSecretStore,
    private readonly keeper: WebhookSecretKeeper,
  ) {}

  async execute(tenantId: string): Promise<WebhookSigningSecretView & { secret: string }> {
    const { secret, seal } = this.keeper.make(tenantId);
    return { secret, ...(await this.secrets.rotate(tenantId, seal(null))) };
  }
}
