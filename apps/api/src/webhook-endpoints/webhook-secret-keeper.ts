import { Injectable } from '@nestjs/common';
import { SecretBox, webhookSecretPlace } from '#libs/secrets';
import { generateWebhookSecret } from '#libs/webhooks';

/** A secret that nobody has seen yet, and how it is stored. */
export interface NewWebhookSecret {
  /** `whsec_…`, to be shown once. */
  readonly secret: string;
  /** For an endpoint, or with null for the webhooks of the tenant's executions. */
  readonly seal: (endpointId: number | null) => string;
}

/** Makes secrets and seals them, each to the endpoint it belongs to. */
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
