/** Room that an execution has, for the files that came with its request. */
export interface HeldRoom {
  /** No more than so many of its bytes are needed from now on. */
  keep(bytes: number): void;
  end(): void;
}

interface Waiter {
  readonly tenantId: string;
  readonly bytes: number;
  readonly enter: () => void;
}

/** Of all room, for one tenant while others may come. */
const TENANT_SHARE = 0.5;

/**
 * Bytes of attached files that one process may hold at once. Who finds no room waits, in the order of their coming; nobody
 * waits for a place that only the tenant of another one has used up. Who finds nobody else there gets in, however much it
 * brings.
 */
export class AttachedRoom {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  private readonly waiters: Waiter[] = [];

  constructor(private readonly mostBytes: number) {}

  /** How many wait. */
  get waiting(): number {
    return this.waiters.length;
  }

  /** Resolves once there is room; null where one of the signals comes first. */
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

  /** Whom nothing keeps waiting but what all tenants hold together; nobody overtakes another one of the same tenant. */
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
