import type { MonotonicClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type {
  AttemptRecord,
  ClaimedDelivery,
  DeliveryVerdict,
  WebhookDeliveryStore,
} from '#libs/persistence';
import { webhookSecretPlace, type SecretBox } from '#libs/secrets';
import { judgeDelivery, judgeReceiver, type SendResult, type WebhookSender } from '#libs/webhooks';

/** Longer than any attempt takes: whoever holds a delivery is done, or dead, by then. */
const LEASE_MS = 60_000;

export interface DeliverWebhookDependencies {
  readonly deliveries: WebhookDeliveryStore;
  /** Under which presence this process sends; waits for a while when it has none, throws `NOT_PRESENT` when that lasts. */
  readonly workerId: () => Promise<string>;
  readonly secrets: WebhookSecrets;
  readonly sender: WebhookSender;
  readonly receiverConcurrency: number;
  readonly pauseAfter: (consecutiveFailures: number) => number | null;
  readonly clock: MonotonicClock;
  readonly random: () => number;
  readonly logger: Logger;
  /** @param seconds since what it reports */
  readonly onAttempt: (result: DeliveryVerdict['kind'], seconds: number) => void;
  /** The receiver has room for another request. */
  readonly onEnded: () => void;
}

/** One attempt at one delivery: claim, send, record what follows. At least once, always the same id and body. */
export class DeliverWebhook {
  constructor(private readonly given: DeliverWebhookDependencies) {}

  async execute(deliveryId: string): Promise<void> {
    const { deliveries, secrets, sender, receiverConcurrency, pauseAfter, clock, random, logger } =
      this.given;
    const claim = { sender: await this.given.workerId(), leaseMs: LEASE_MS, receiverConcurrency };
    const delivery = await deliveries.claim(deliveryId, claim);
    if (!delivery) return;
    const begunAt = clock.monotonic();
    const { id, url, body, now: timestamp, attempt, scheduledAttempt } = delivery;
    const result = await sender.send({ id, url, secrets: secrets.open(delivery), body, timestamp });
    const verdict = judgeDelivery(result, scheduledAttempt, random());
    await deliveries.record(
      delivery,
      toRecord(result, Math.round(clock.monotonic() - begunAt)),
      verdict,
      pauseAfter,
    );
    const sinceClaimMs = clock.monotonic() - begunAt;
    const { now, createdAt } = delivery;
    this.given.onAttempt(verdict.kind, (now.getTime() - createdAt.getTime() + sinceClaimMs) / 1_000);
    this.given.onEnded();
    if (verdict.kind !== 'delivered') {
      logger.warn({ deliveryId, attempt, result, next: verdict }, 'webhook not delivered');
    }
  }
}

function toRecord(result: SendResult, durationMs: number): AttemptRecord {
  const receiver = judgeReceiver(result);
  if (result.kind === 'answered') return { statusCode: result.statusCode, error: null, durationMs, receiver };
  return { statusCode: null, error: result.reason, durationMs, receiver };
}

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
