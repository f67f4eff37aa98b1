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
    const secret = generateWebhookSecret();
    return { secret, seal: this.sealer(tenantId, secret) };
  }

  /** A function that seals this secret for an endpoint. Throws `ENCRYPTION_NOT_CONFIGURED`. */
  sealer(tenantId: string, secret: string): NewWebhookSecret['seal'] {
    const { box } = this;
    box.requireKeyring();
    return (endpointId) => box.seal(secret, webhookSecretPlace(tenantId, endpointId));
  }

  /** Throws `SECRET_UNREADABLE`. */
  isSame(tenantId: string, endpointId: number, sealed: string, secret: string): boolean {
    return this.box.open(sealed, webhookSecretPlace(tenantId, endpointId)) === secret;
  }
}
