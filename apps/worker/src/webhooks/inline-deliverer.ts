import type { Logger } from '#libs/observability';
import type { InlineDeliveryRoom, ClaimedDelivery, OpenOffer, WebhookDeliveryStore } from '#libs/persistence';
import { DELIVERY_LEASE_MS } from './deliver-webhook.js';
import type { DeliveryAttempts } from './delivery-attempts.js';
import type { SendRoom } from './send-room.js';

/**
 * Milliseconds after its announcement in which a worker that is not alone sends no inline deliveries: requests that other
 * workers began without counting this one have ended by then.
 */
export const NEWCOMER_MS = 20_000;

/** Spare deliveries beyond one per execution, since a tenant may have several endpoints. */
const SPARE_ROOM = 3;

export interface InlineDelivererDependencies {
  readonly deliveries: Pick<WebhookDeliveryStore, 'findBorn' | 'releaseUnsent'>;
  /** Name of this process's presence; null while it has none. */
  readonly presentName: () => string | null;
  readonly room: SendRoom;
  readonly attempts: DeliveryAttempts;
  /** Maximum deliveries held at once: offered, in line and in progress. */
  readonly most: number;
  readonly tenantConcurrency: number;
  readonly newcomerMs: number;
  /** Aborts when a delivery has waited in line for too long; it is then sent through the queue. */
  readonly waitSignal: () => AbortSignal;
  /** Called when work begins; the returned function is called at its end. */
  readonly onBegin: () => () => void;
  /** Called when deliveries wait for the queue. */
  readonly onWaiting: () => void;
  readonly logger: Logger;
}

/**
 * Inline webhook delivery: the worker that creates deliveries sends them itself, without a job or a claim. If this
 * process dies, the database knows its deliveries: they are due again when the worker is dead or the lease has expired.
 */
export class InlineDeliverer implements InlineDeliveryRoom {
  /** Number of deliveries offered, adopted and in progress. */
  private held = 0;
  private readonly inHand = new Set<string>();
  private readonly leaving = new AbortController();
  private idle = Promise.withResolvers<undefined>();

  constructor(private readonly given: InlineDelivererDependencies) {}

  open(executions: number): OpenOffer {
    const { most, tenantConcurrency, newcomerMs, onWaiting } = this.given;
    const sender = this.leaving.signal.aborted ? null : this.given.presentName();
    const room = sender === null ? 0 : Math.max(0, Math.min(most - this.held, executions + SPARE_ROOM));
    this.hold(room);
    const offer =
      sender === null || room === 0
        ? null
        : {
            sender,
            room,
            lease_ms: DELIVERY_LEASE_MS,
            tenant_concurrency: tenantConcurrency,
            newcomer_ms: newcomerMs,
          };
    return {
      offer,
      commit: (inlineDeliveries) => {
        for (const { leased, standing } of inlineDeliveries) {
          if (standing) this.given.room.learn(standing);
          this.take(leased);
        }
        this.hold(-room);
        if (inlineDeliveries.some(({ hasWaiting }) => hasWaiting)) onWaiting();
      },
      abandon: () => this.hold(-room),
    };
  }

  adopt(executionId: string): void {
    const { deliveries, presentName, logger, onWaiting } = this.given;
    const sender = presentName();
    // Deliveries not leased to this process may wait for the queue.
    onWaiting();
    if (sender === null) return;
    this.hold(1);
    deliveries
      .findBorn(executionId, sender)
      .then((leased) => this.take(leased))
      .catch((err: unknown) => logger.warn({ err, executionId }, 'webhooks not adopted'))
      .finally(() => this.hold(-1));
  }

  /** Sends no further deliveries, releases those in line, and waits for those in progress, for at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.leaving.abort();
    if (this.held === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([this.idle.promise, grace]);
    clearTimeout(timer);
  }

  private take(leased: readonly ClaimedDelivery[]): void {
    for (const delivery of leased) {
      if (this.inHand.has(delivery.id)) continue;
      this.inHand.add(delivery.id);
      this.hold(1);
      void this.send(delivery);
    }
  }

  /** A delivery that fails here stays leased and is due again when the lease has expired. */
  private async send(delivery: ClaimedDelivery): Promise<void> {
    try {
      const hasWaiting = await this.sendOrRelease(delivery);
      if (hasWaiting) this.given.onWaiting();
    } catch (err) {
      this.given.logger.warn({ err, deliveryId: delivery.id }, 'webhook not recorded');
    } finally {
      this.inHand.delete(delivery.id);
      this.hold(-1);
    }
  }

  private async sendOrRelease(delivery: ClaimedDelivery): Promise<boolean> {
    const { room, attempts, deliveries, waitSignal, onBegin } = this.given;
    const leave = this.leaving.signal.aborted
      ? null
      : await room.wait(delivery, () => AbortSignal.any([this.leaving.signal, waitSignal()]));
    if (leave === null) {
      await deliveries.releaseUnsent(delivery.id);
      return true;
    }
    const end = onBegin();
    try {
      return await attempts.make(delivery);
    } finally {
      end();
      leave();
    }
  }

  private hold(count: number): void {
    if (this.held === 0 && count > 0) this.idle = Promise.withResolvers();
    this.held += count;
    if (this.held === 0) this.idle.resolve(undefined);
  }
}
