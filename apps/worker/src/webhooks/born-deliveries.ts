import type { Logger } from '#libs/observability';
import type { BirthRoom, ClaimedDelivery, OpenOffer, WebhookDeliveryStore } from '#libs/persistence';
import { DELIVERY_LEASE_MS } from './deliver-webhook.js';
import type { DeliveryAttempts } from './delivery-attempts.js';
import type { SendRoom } from './send-room.js';

/**
 * For so long after its announcement a worker that is not alone sends nothing at birth: until then all requests are over
 * that another worker has begun as if this one were not there.
 */
export const NEWCOMER_MS = 20_000;

/** Room is offered for one delivery of each execution, and for some more: a tenant may have several endpoints. */
const SPARE_ROOM = 3;

export interface BornDeliveriesDependencies {
  readonly deliveries: Pick<WebhookDeliveryStore, 'findBorn' | 'releaseUnsent'>;
  /** Under which presence this process sends; null while it has none. */
  readonly presentName: () => string | null;
  readonly room: SendRoom;
  readonly attempts: DeliveryAttempts;
  /** Deliveries that are held at once: offered, in line and under way. */
  readonly most: number;
  readonly tenantConcurrency: number;
  readonly newcomerMs: number;
  /** Ends when it has waited in line for long enough: then the delivery waits for its turn like others. */
  readonly patience: () => AbortSignal;
  /** Work begins; the answer is called when it is over. */
  readonly onBegin: () => () => void;
  /** There are deliveries that wait for their turn. */
  readonly onWaiting: () => void;
  readonly logger: Logger;
}

/**
 * Deliveries that the worker which makes them sends by itself, without a job and without a claim. Whatever becomes of this
 * process, the database knows what it holds: it is due again with the death of the worker, or when its lease has lapsed.
 */
export class BornDeliveries implements BirthRoom {
  /** Offered, adopted and in hand. */
  private held = 0;
  private readonly inHand = new Set<string>();
  private readonly leaving = new AbortController();
  private idle = Promise.withResolvers<undefined>();

  constructor(private readonly given: BornDeliveriesDependencies) {}

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
      commit: (births) => {
        for (const { leased, standing } of births) {
          if (standing) this.given.room.learn(standing);
          this.take(leased);
        }
        this.hold(-room);
        if (births.some(({ hasWaiting }) => hasWaiting)) onWaiting();
      },
      abandon: () => this.hold(-room),
    };
  }

  adopt(executionId: string): void {
    const { deliveries, presentName, logger, onWaiting } = this.given;
    const sender = presentName();
    // What is not leased to this process may wait for its turn.
    onWaiting();
    if (sender === null) return;
    this.hold(1);
    deliveries
      .findBorn(executionId, sender)
      .then((leased) => this.take(leased))
      .catch((err: unknown) => logger.warn({ err, executionId }, 'webhooks not adopted'))
      .finally(() => this.hold(-1));
  }

  /** Sends nothing more from now on, gives up what waits in line, and waits for what is under way, `graceMs` at most. */
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

  /** What fails here stays leased, and is due again when the lease has lapsed. */
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
    const { room, attempts, deliveries, patience, onBegin } = this.given;
    const leave = this.leaving.signal.aborted
      ? null
      : await room.wait(delivery, () => AbortSignal.any([this.leaving.signal, patience()]));
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
