import { Injectable } from '@nestjs/common';
import { WebhookSigningSecretStore, type WebhookSigningSecretView } from '#libs/persistence';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';

/** What may be asked of the secret that signs the webhooks of executions. */
@Injectable()
export class WebhookSigningSecretService {
  constructor(
    private readonly secrets: WebhookSigningSecretStore,
    private readonly keeper: WebhookSecretKeeper,
  ) {}

  /**
   * A new secret, shown this once; for a day requests carry a signature of the one before it too. Throws
   * `ENCRYPTION_NOT_CONFIGURED`.
   */
  async rotate(tenantId: string): Promise<WebhookSigningSecretView & { secret: string }> {
    const { secret, seal } = this.keeper.make(tenantId);
    return { secret, ...(await this.secrets.rotate(tenantId, seal(null))) };
  }
}
