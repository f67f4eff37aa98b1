import type { MonotonicClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type {
  AttemptRecord,
  ClaimedDelivery,
  DeliveryVerdict,
  WebhookDeliveryStore,
} from '#libs/persistence';
import { judgeDelivery, judgeReceiver, type SendResult, type WebhookSender } from '#libs/webhooks';
import type { WebhookSecrets } from './webhook-secrets.js';

export interface DeliveryAttemptsDependencies {
  readonly deliveries: WebhookDeliveryStore;
  readonly secrets: WebhookSecrets;
  readonly sender: WebhookSender;
  readonly pauseAfter: (consecutiveFailures: number) => number | null;
  readonly tenantConcurrency: number;
  readonly clock: MonotonicClock;
  readonly random: () => number;
  readonly logger: Logger;
  /** @param seconds since what it reports */
  readonly onAttempt: (result: DeliveryVerdict['kind'], seconds: number) => void;
}

/** One attempt at a delivery that this process holds, however it came by it. Always the same id and body. */
export class DeliveryAttempts {
  constructor(private readonly given: DeliveryAttemptsDependencies) {}

  /** Sends it and records what follows. Answers whether somebody waits for the room that it leaves. */
  async make(delivery: ClaimedDelivery): Promise<boolean> {
    const { deliveries, secrets, sender, pauseAfter, tenantConcurrency, clock, random, logger } = this.given;
    const begunAt = clock.monotonic();
    const { id, url, body, now: timestamp, attempt, scheduledAttempt } = delivery;
    const result = await sender.send({ id, url, secrets: secrets.open(delivery), body, timestamp });
    const verdict = judgeDelivery(result, scheduledAttempt, random());
    const record = toRecord(result, Math.round(clock.monotonic() - begunAt));
    const hasWaiting = await deliveries.record(delivery, record, verdict, { pauseAfter, tenantConcurrency });
    const sinceClaimMs = clock.monotonic() - begunAt;
    const { now, createdAt } = delivery;
    this.given.onAttempt(verdict.kind, (now.getTime() - createdAt.getTime() + sinceClaimMs) / 1_000);
    if (verdict.kind !== 'delivered') {
      logger.warn({ deliveryId: id, attempt, result, next: verdict }, 'webhook not delivered');
    }
    return hasWaiting;
  }
}

function toRecord(result: SendResult, durationMs: number): AttemptRecord {
  const receiver = judgeReceiver(result);
  if (result.kind === 'answered') return { statusCode: result.statusCode, error: null, durationMs, receiver };
  return { statusCode: null, error: result.reason, durationMs, receiver };
}
