import type { MonotonicClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type {
  AttemptRecord,
  ClaimedDelivery,
  DeliveryVerdict,
  WebhookDeliveryStore,
} from '#libs/persistence';
import { evaluateDelivery, evaluateReceiver } from './evaluate-delivery.js';
import type { WebhookSecrets } from './webhook-secrets.js';
import type { SendResult, WebhookSender } from './webhook-sender.js';

export interface DeliveryAttemptsDependencies {
  readonly deliveries: WebhookDeliveryStore;
  readonly secrets: WebhookSecrets;
  readonly sender: WebhookSender;
  readonly pauseAfter: (consecutiveFailures: number) => number | null;
  readonly tenantConcurrency: number;
  readonly clock: MonotonicClock;
  readonly random: () => number;
  readonly logger: Logger;
  /** @param seconds time since the reported event */
  readonly onAttempt: (result: DeliveryVerdict['kind'], seconds: number) => void;
}

/** Makes one attempt at a delivery that this process holds, claimed or inline; always with the same id and body. */
export class DeliveryAttempts {
  constructor(private readonly given: DeliveryAttemptsDependencies) {}

  /** Sends a delivery and records the result. Returns whether another delivery waits for the freed slot. */
  async make(delivery: ClaimedDelivery): Promise<boolean> {
    const { deliveries, secrets, sender, pauseAfter, tenantConcurrency, clock, random, logger } = this.given;
    const begunAt = clock.monotonic();
    const { id, url, body, now: timestamp, attempt, scheduledAttempt } = delivery;
    const result = await sender.send({ id, url, secrets: secrets.open(delivery), body, timestamp });
    const verdict = evaluateDelivery(result, scheduledAttempt, random());
    const record = toRecord(result, Math.round(clock.monotonic() - begunAt));
    const hasWaiting = await deliveries.record(delivery, record, verdict, { pauseAfter, tenantConcurrency });
    const sinceClaimMs = clock.monotonic() - begunAt;
    const { now, createdAt } = delivery;
    this.given.onAttempt(verdict.kind, (now.getTime() - createdAt.getTime() + sinceClaimMs) / 1_000);
    if (verdict.kind !== 'delivered') {
      logger.warn(
        { deliveryId: id, attempt, result: withoutAnswer(result), next: verdict },
        'webhook not delivered',
      );
    }
    return hasWaiting;
  }
}

/** The result for the log: what a receiver has answered is for its tenant alone. */
function withoutAnswer(result: SendResult): object {
  if (result.kind === 'unanswered') return result;
  const { kind, statusCode, retryAfterMs } = result;
  return { kind, statusCode, retryAfterMs };
}

function toRecord(result: SendResult, durationMs: number): AttemptRecord {
  const receiver = evaluateReceiver(result);
  const common = { durationMs, receiver };
  if (result.kind === 'unanswered')
    return { statusCode: null, error: result.reason, answer: null, ...common };
  return { statusCode: result.statusCode, error: null, answer: result.answer ?? null, ...common };
}
