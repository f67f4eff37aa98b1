import type { FactoryProvider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { parseKeyring, SecretBox, webhookSecretPlace } from '#libs/secrets';
import { generateWebhookSecret } from '#libs/webhooks';
import { API_CONFIG } from '../api.tokens.js';
import { cannotKeepSecrets } from './webhook-endpoints.faults.js';

/** A secret that nobody has seen yet, and how it is stored. */
export interface NewWebhookSecret {
  /** `whsec_…`, to be shown once. */
  readonly secret: string;
  /** For an endpoint, or with null for the webhooks of the tenant's executions. */
  readonly seal: (endpointId: number | null) => string;
}

/** Makes secrets and seals them, each to the endpoint it belongs to. */
export class WebhookSecretKeeper {
  /** `box` is null where no key for sealing is configured. */
  constructor(private readonly box: SecretBox | null) {}

  /** Throws `ENCRYPTION_NOT_CONFIGURED`. */
  make(tenantId: string): NewWebhookSecret {
    const { box } = this;
    if (box === null) throw cannotKeepSecrets();
    const secret = generateWebhookSecret();
    return { secret, seal: (endpointId) => box.seal(secret, webhookSecretPlace(tenantId, endpointId)) };
  }
}

export const webhookSecretKeeperProvider: FactoryProvider<WebhookSecretKeeper> = {
  provide: WebhookSecretKeeper,
  inject: [API_CONFIG],
  useFactory: ({ encryptionKey }: AppConfig) =>
    new WebhookSecretKeeper(encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey))),
};
