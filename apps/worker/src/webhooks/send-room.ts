import type { WorkerStanding } from '#libs/persistence';

/** Whom a request is for. */
export interface Called {
  readonly tenantId: string;
  readonly receiver: string;
}

export interface SendLimits {
  /** Requests of this process. */
  readonly total: number;
  /** Requests to one receiver, over all processes. */
  readonly receiver: number;
  /** Requests of one tenant, over all processes. */
  readonly tenant: number;
}

interface InLine {
  readonly called: Called;
  readonly begin: (leave: (() => void) | null) => void;
}

/**
 * The requests of this process. What is claimed was counted by the database against the requests of all processes, and
 * begins at once. What is leased at birth was not: it stays within this worker's share of what its receiver and its tenant
 * may have at once, and waits in line for that. The shares of all workers add up to what is allowed.
 */
export class SendRoom {
  private readonly underWay = new Map<string, number>();
  private total = 0;
  /** Null before the database has said: then there is no share. */
  private standing: WorkerStanding | null = null;
  private readonly line: InLine[] = [];
  private readonly claims = new Set<Promise<unknown>>();

  constructor(private readonly limits: SendLimits) {}

  /** Of two answers the one that the database gave later holds, whichever comes last. */
  learn(standing: WorkerStanding): void {
    if (this.standing === null || standing.seenAt >= this.standing.seenAt) this.standing = standing;
  }

  /** Begins with what the database grants, if it does. */
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
   * Waits until the share has room; answers how to leave it, null when the signal came first. A claim whose answer is
   * still on its way may have been granted before: its answer is awaited.
   *
   * @param patience asked for only where there is something to wait for
   */
  async wait(called: Called, patience: () => AbortSignal): Promise<(() => void) | null> {
    if (this.claims.size > 0) await Promise.allSettled(this.claims);
    if (this.hasRoom(called)) return this.begin(called);
    const signal = patience();
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

  /** The first in line that has room, as often as there is one. */
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

  /** Over all places the shares add up to the limit; with more workers than that some have none. */
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
