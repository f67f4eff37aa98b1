import type { WebhookDeliveryStore } from '#libs/persistence';
import type { DeliveryAttempts } from './delivery-attempts.js';
import type { SendRoom } from './send-room.js';

/** Longer than any attempt takes: whoever holds a delivery is done, or dead, by then. */
export const DELIVERY_LEASE_MS = 60_000;

export interface DeliverWebhookDependencies {
  readonly deliveries: WebhookDeliveryStore;
  /** Under which presence this process sends; waits for a while when it has none, throws `NOT_PRESENT` when that lasts. */
  readonly workerId: () => Promise<string>;
  readonly receiverConcurrency: number;
  readonly room: SendRoom;
  readonly attempts: DeliveryAttempts;
  /** The receiver has room for another request, and the queue for another job. */
  readonly onEnded: () => void;
}

/** What a job is for: claim a delivery that was due, and make one attempt. At least once, always the same id and body. */
export class DeliverWebhook {
  constructor(private readonly given: DeliverWebhookDependencies) {}

  async execute(deliveryId: string): Promise<void> {
    const { deliveries, room, attempts, receiverConcurrency } = this.given;
    const claim = { sender: await this.given.workerId(), leaseMs: DELIVERY_LEASE_MS, receiverConcurrency };
    const claimed = await room.enter(() => deliveries.claim(deliveryId, claim));
    if (!claimed) return;
    try {
      await attempts.make(claimed.delivery);
    } finally {
      claimed.leave();
    }
    this.given.onEnded();
  }
}
