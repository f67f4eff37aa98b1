import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '#libs/observability';
import type { ClaimedDelivery } from '#libs/persistence';
import { SecretBox, webhookSecretPlace } from '#libs/secrets';
import { LOGGER } from '../worker.tokens.js';

type SealedSecrets = Pick<
  ClaimedDelivery,
  'tenantId' | 'endpointId' | 'secretSealed' | 'previousSecretSealed'
>;

/** Opened secrets that are kept, the latest used: a busy receiver is signed for many times a second. */
const MOST_KEPT = 500;

/** Opens the secrets of an endpoint, or of the webhooks of a tenant's executions, to sign a request. */
@Injectable()
export class WebhookSecrets {
  /** By place and sealed text: what is sealed anew, or for somebody else, is opened anew. */
  private readonly opened = new Map<string, string>();

  constructor(
    private readonly box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The one in use first, then the one that it replaces; none when they cannot be read, which the log explains. */
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
    // Last in the map is what was used last.
    this.opened.delete(key);
    this.opened.set(key, secret);
    if (this.opened.size > MOST_KEPT) this.opened.delete(this.opened.keys().next().value ?? key);
    return secret;
  }
}
