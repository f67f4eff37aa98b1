import type { WebhookDeliveryStore } from '#libs/persistence';
import type { DeliveryAttempts } from './delivery-attempts.js';
import type { SendRoom } from './send-room.js';

/** Lease of a delivery in milliseconds; longer than any attempt, so that its holder is done or dead by then. */
export const DELIVERY_LEASE_MS = 60_000;

export interface DeliverWebhookDependencies {
  readonly deliveries: WebhookDeliveryStore;
  /** Name of this process's presence. Waits while it has none; throws `NOT_PRESENT` if that lasts. */
  readonly workerId: () => Promise<string>;
  readonly receiverConcurrency: number;
  readonly room: SendRoom;
  readonly attempts: DeliveryAttempts;
  /** Called when the receiver has room for another request and the queue for another job. */
  readonly onEnded: () => void;
}

/**
 * Handles a job: claims a due delivery and makes one attempt. Delivery is at least once, always with the same id and
 * body.
 */
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
