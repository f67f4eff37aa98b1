import { Injectable } from '@nestjs/common';
import { WebhookSigningSecretStore, type WebhookSigningSecretView } from '#libs/persistence';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';

/** Rotates the secret that signs the webhooks of single executions. */
@Injectable()
export class WebhookSigningSecretService {
  constructor(
    private readonly secrets: WebhookSigningSecretStore,
    private readonly keeper: WebhookSecretKeeper,
  ) {}

  /**
   * Returns a new secret, shown this once. For 24 hours requests are also signed with the previous one. Throws
   * `ENCRYPTION_NOT_CONFIGURED`.
   */
  async rotate(tenantId: string): Promise<WebhookSigningSecretView & { secret: string }> {
    const { secret, seal } = this.keeper.make(tenantId);
    return { secret, ...(await this.secrets.rotate(tenantId, seal(null))) };
  }
}
