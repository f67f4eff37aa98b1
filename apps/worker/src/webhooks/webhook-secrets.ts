import type { Logger } from '#libs/observability';
import type { ClaimedDelivery } from '#libs/persistence';
import { webhookSecretPlace, type SecretBox } from '#libs/secrets';

type SealedSecrets = Pick<
  ClaimedDelivery,
  'tenantId' | 'endpointId' | 'secretSealed' | 'previousSecretSealed'
>;

/**
 * Opens the secrets of an endpoint, or of the webhooks of a tenant's executions, for the moment in which a request is
 * signed.
 */
export class WebhookSecrets {
  /** `box` is null where no key for opening is configured. */
  constructor(
    private readonly box: SecretBox | null,
    private readonly logger: Logger,
  ) {}

  /** The one in use first, then the one that it replaces; none when they cannot be read, which the log explains. */
  open({ tenantId, endpointId, secretSealed, previousSecretSealed }: SealedSecrets): string[] {
    if (this.box === null) {
      this.logger.error({ endpointId }, 'a webhook cannot be signed: ENCRYPTION_KEY is not set');
      return [];
    }
    const { box } = this;
    const place = webhookSecretPlace(tenantId, endpointId);
    const sealed = [secretSealed, previousSecretSealed].filter((secret) => secret !== null);
    try {
      return sealed.map((secret) => box.open(secret, place));
    } catch (err) {
      this.logger.error({ err, endpointId }, 'a webhook cannot be signed');
      return [];
    }
  }
}
