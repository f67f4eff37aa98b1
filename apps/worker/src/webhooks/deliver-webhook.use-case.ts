import type { Clock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type { AttemptRecord, WebhookDeliveryStore } from '#libs/persistence';
import { judgeDelivery, type SendResult, type WebhookSender } from '#libs/webhooks';
import type { WebhookSecrets } from './webhook-secrets.js';

/** Longer than any attempt takes: whoever holds a delivery is done, or dead, by then. */
const LEASE_MS = 60_000;

/** One attempt at one delivery: claim, send, record what follows. At least once, always the same id and body. */
export class DeliverWebhook {
  constructor(
    private readonly deliveries: WebhookDeliveryStore,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly random: () => number,
    private readonly logger: Logger,
  ) {}

  async execute(deliveryId: string): Promise<void> {
    const delivery = await this.deliveries.claim(deliveryId, LEASE_MS);
    if (!delivery) return;
    const begunAt = this.clock.now();
    const { id, url, body, now: timestamp, attempt, scheduledAttempt } = delivery;
    const secrets = this.secrets.open(delivery);
    const result = await this.sender.send({ id, url, secrets, body, timestamp });
    const verdict = judgeDelivery(result, scheduledAttempt, this.random());
    await this.deliveries.record(delivery, toRecord(result, this.clock.now() - begunAt), verdict);
    if (verdict.kind !== 'delivered') {
      this.logger.warn({ deliveryId, attempt, result, next: verdict }, 'webhook not delivered');
    }
  }
}

function toRecord(result: SendResult, durationMs: number): AttemptRecord {
  if (result.kind === 'answered') return { statusCode: result.statusCode, error: null, durationMs };
  return { statusCode: null, error: result.reason, durationMs };
}
