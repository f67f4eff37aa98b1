import { Injectable } from '@nestjs/common';
import { generateWebhookSecret, SecretBox, webhookSecretPlace } from '#libs/secrets';

/** A new secret, with a function to seal it for storage. */
export interface NewWebhookSecret {
  /** Format `whsec_…`; shown once. */
  readonly secret: string;
  /** Seals the secret for an endpoint; with null, for the webhooks of the tenant's executions. */
  readonly seal: (endpointId: number | null) => string;
}

/** Generates webhook secrets and seals each for its endpoint. */
@Injectable()
export class WebhookSecretKeeper {
  constructor(private readonly box: SecretBox) {}

  /** Throws `ENCRYPTION_NOT_CONFIGURED`. */
  make(tenantId: string): NewWebhookSecret {
    const { box } = this;
    box.requireKeyring();
    const secret = generateWebhookSecret();
    return { secret, seal: (endpointId) => box.seal(secret, webhookSecretPlace(tenantId, endpointId)) };
  }
}
