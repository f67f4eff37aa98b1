import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '#libs/observability';
import type { ClaimedDelivery } from '#libs/persistence';
import { SecretBox, webhookSecretPlace } from '#libs/secrets';
import { LOGGER } from '../worker.tokens.js';

type SealedSecrets = Pick<
  ClaimedDelivery,
  'tenantId' | 'endpointId' | 'secretSealed' | 'previousSecretSealed'
>;

/** Maximum cached secrets, least recently used evicted first: a busy receiver needs many signatures a second. */
const MAX_KEPT = 500;

/** Opens the secrets of an endpoint, or of the webhooks of a tenant's executions, to sign a request. */
@Injectable()
export class WebhookSecrets {
  /** Keyed by place and sealed text, so that a newly sealed secret is opened anew. */
  private readonly opened = new Map<string, string>();

  constructor(
    private readonly box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The current secret first, then the one that it replaces; empty if they cannot be opened, which is logged. */
  open({ tenantId, endpointId, secretSealed, previousSecretSealed }: SealedSecrets): string[] {
    const place = webhookSecretPlace(tenantId, endpointId);
    const sealed = [secretSealed, previousSecretSealed].filter((secret) => secret !== null);
    try {
      return sealed.map((secret) => this.remember(`${place} ${secret}`, () => this.box.open(secret, place)));
    } catch (err) {
      this.logger.error({ err, endpointId }, 'a webhook cannot be signed');
      return [];
    }
  }

  private remember(key: string, open: () => string): string {
    const secret = this.opened.get(key) ?? open();
    // The map's order is the order of use, latest last.
    this.opened.delete(key);
    this.opened.set(key, secret);
    if (this.opened.size > MAX_KEPT) this.opened.delete(this.opened.keys().next().value ?? key);
    return secret;
  }
}
