import type { WorkerStanding } from '#libs/persistence';

/** Tenant and receiver of a request. */
export interface Called {
  readonly tenantId: string;
  readonly receiver: string;
}

export interface SendLimits {
  /** Maximum requests of this process. */
  readonly total: number;
  /** Maximum requests to one receiver, over all processes. */
  readonly receiver: number;
  /** Maximum requests of one tenant, over all processes. */
  readonly tenant: number;
}

interface InLine {
  readonly called: Called;
  readonly begin: (leave: (() => void) | null) => void;
}

/**
 * Limits the requests of this process. Claimed deliveries were counted by the database against the limits of all
 * processes and start at once. Inline deliveries were not: they stay within this worker's share of the receiver's and the
 * tenant's limits, and wait in line for it. The shares of all workers add up to the limits.
 */
export class SendRoom {
  private readonly underWay = new Map<string, number>();
  private total = 0;
  /** Null until the database has reported the number of workers; the share is 0 until then. */
  private standing: WorkerStanding | null = null;
  private readonly line: InLine[] = [];
  private readonly claims = new Set<Promise<unknown>>();

  constructor(private readonly limits: SendLimits) {}

  /** Keeps the report with the latest database time, regardless of arrival order. */
  learn(standing: WorkerStanding): void {
    if (this.standing === null || standing.seenAt >= this.standing.seenAt) this.standing = standing;
  }

  /** Starts the delivery that the database grants, if any. */
  async enter<Delivery extends Called>(
    claim: () => Promise<Delivery | null>,
  ): Promise<{ delivery: Delivery; leave: () => void } | null> {
    const claiming = claim();
    this.claims.add(claiming);
    try {
      const delivery = await claiming;
      return delivery && { delivery, leave: this.begin(delivery) };
    } finally {
      this.claims.delete(claiming);
    }
  }

  /**
   * Waits until the share has room; returns the function that frees it, or null if the signal aborts first. Claims in
   * flight are awaited, because the database may have granted them already.
   * @param waitSignal called only if there is a wait
   */
  async wait(called: Called, waitSignal: () => AbortSignal): Promise<(() => void) | null> {
    if (this.claims.size > 0) await Promise.allSettled(this.claims);
    if (this.hasRoom(called)) return this.begin(called);
    const signal = waitSignal();
    if (signal.aborted) return null;
    return new Promise((resolve) => {
      const inLine: InLine = { called, begin: resolve };
      this.line.push(inLine);
      signal.addEventListener('abort', () => this.giveUp(inLine), { once: true });
    });
  }

  private giveUp(inLine: InLine): void {
    const place = this.line.indexOf(inLine);
    if (place < 0) return;
    this.line.splice(place, 1);
    inLine.begin(null);
  }

  /** Starts all waiting deliveries that have room, in order. */
  private advance(): void {
    for (const inLine of [...this.line]) {
      if (!this.hasRoom(inLine.called)) continue;
      this.line.splice(this.line.indexOf(inLine), 1);
      inLine.begin(this.begin(inLine.called));
    }
  }

  private hasRoom(called: Called): boolean {
    const [receiver, tenant] = namesOf(called);
    return (
      this.total < this.limits.total &&
      this.countOf(receiver) < this.shareOf(this.limits.receiver) &&
      this.countOf(tenant) < this.shareOf(this.limits.tenant)
    );
  }

  /** Shares of all workers add up to the limit; with more workers than that, some have none. */
  private shareOf(limit: number): number {
    if (this.standing === null) return 0;
    const { workers, place } = this.standing;
    return Math.max(0, Math.ceil((limit - place) / workers));
  }

  private begin(called: Called): () => void {
    const count = (by: 1 | -1): void => {
      this.total += by;
      for (const name of namesOf(called)) {
        const now = this.countOf(name) + by;
        if (now === 0) this.underWay.delete(name);
        else this.underWay.set(name, now);
      }
    };
    count(1);
    return () => {
      count(-1);
      this.advance();
    };
  }

  private countOf(name: string): number {
    return this.underWay.get(name) ?? 0;
  }
}

function namesOf({ tenantId, receiver }: Called): [receiver: string, tenant: string] {
  return [`${tenantId}\n${receiver}`, tenantId];
}
