/** Reservation of memory for the files attached to one execution. */
export interface HeldRoom {
  /** Shrinks the reservation to at most `bytes`. */
  keep(bytes: number): void;
  end(): void;
}

interface Waiter {
  readonly tenantId: string;
  readonly bytes: number;
  readonly enter: () => void;
}

/** Share of all bytes that one tenant may hold while it already holds some (0–1). */
const TENANT_SHARE = 0.5;

/**
 * Limits the bytes of attached files that one process holds at once. Waiters are admitted in order of arrival, but a
 * tenant at its share does not hold up other tenants. An execution larger than the limit is admitted once no other one
 * holds room, so that it cannot wait for ever.
 */
export class AttachedRoom {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  private readonly waiters: Waiter[] = [];

  constructor(private readonly mostBytes: number) {}

  get waiting(): number {
    return this.waiters.length;
  }

  /** Resolves once the room is reserved; null when a signal aborts first. */
  async take(tenantId: string, bytes: number, signals: readonly AbortSignal[]): Promise<HeldRoom | null> {
    return new Promise((resolve) => {
      const stop = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        leave(null);
        this.admit();
      };
      const leave = (held: HeldRoom | null): void => {
        for (const signal of signals) signal.removeEventListener('abort', stop);
        resolve(held);
      };
      const waiter: Waiter = { tenantId, bytes, enter: () => leave(this.enter(tenantId, bytes)) };
      for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
      this.waiters.push(waiter);
      this.admit();
      const isStopped = signals.some(({ aborted }) => aborted);
      if (isStopped && this.waiters.includes(waiter)) stop();
    });
  }

  private enter(tenantId: string, bytes: number): HeldRoom {
    let held = bytes;
    const keep = (kept: number): void => {
      if (kept >= held) return;
      this.add(tenantId, kept - held);
      held = kept;
      this.admit();
    };
    this.add(tenantId, bytes);
    return { keep, end: () => keep(0) };
  }

  private admit(): void {
    for (let next = this.findNext(); next !== null; next = this.findNext()) {
      if (this.taken > 0 && this.taken + next.bytes > this.mostBytes) return;
      this.waiters.splice(this.waiters.indexOf(next), 1);
      next.enter();
    }
  }

  /** The next waiter within its tenant's share; waiters of the same tenant keep their order. */
  private findNext(): Waiter | null {
    const kept = new Set<string>();
    for (const waiter of this.waiters) {
      const { tenantId, bytes } = waiter;
      const own = this.takenBy.get(tenantId) ?? 0;
      const hasShare = own === 0 || own + bytes <= this.mostBytes * TENANT_SHARE;
      if (hasShare && !kept.has(tenantId)) return waiter;
      kept.add(tenantId);
    }
    return null;
  }

  private add(tenantId: string, bytes: number): void {
    this.taken += bytes;
    const own = (this.takenBy.get(tenantId) ?? 0) + bytes;
    if (own > 0) this.takenBy.set(tenantId, own);
    else this.takenBy.delete(tenantId);
  }
}
