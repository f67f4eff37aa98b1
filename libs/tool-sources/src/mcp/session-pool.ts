import { ToolServerFailure } from '#libs/tooling';
import type { Timers } from '#libs/kernel';
import { isLeft, selectEvictionCandidate, promiseTo, type Asker, type Slot } from './connection-slot.js';
import type { Asked, Holder, PooledConnection, PoolLimits } from './pooled-connection.js';

/** Pool of connections, bounded in number and age. Clock and timers are injected. */
export class SessionPool<Connection extends PooledConnection> {
  private readonly slots = new Map<string, Slot<Connection>>();
  private readonly making = new Map<string, Making<Connection>>();
  private readonly closing = new Set<Promise<void>>();
  private holders = 0;
  private isClosed = false;

  constructor(
    private readonly limits: PoolLimits,
    private readonly timers: Timers,
    private readonly now: () => number,
  ) {}

  /** Number of open connections. */
  get size(): number {
    return this.slots.size;
  }

  hold(asked: Asked<Connection>): Holder<Connection> {
    this.holders += 1;
    const own = asked.runId === null ? `only ${this.holders}` : `run ${asked.runId} ${asked.key}`;
    const shared = asked.runId === null ? own : `all ${asked.key}`;
    const holder: Asker = { isClosed: false };
    return {
      use: (signal, work) => this.use({ asked, own, shared, holder }, signal, work),
      drop: (connection) => {
        for (const slot of this.slots.values()) if (slot.connection === connection) void this.remove(slot);
      },
      close: async () => {
        holder.isClosed = true;
        const ends: Promise<void>[] = [];
        for (const slot of new Set([this.slots.get(own), this.slots.get(shared)])) {
          slot?.holders.delete(holder);
          if (slot !== undefined && isLeft(slot)) ends.push(this.remove(slot));
        }
        // Waits only for this holder's own connections: other servers may be slow to close.
        await Promise.all(ends);
      },
    };
  }

  /** Closes all connections, including busy ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([...this.making.values()].map(({ slot }) => slot));
    for (const slot of [...this.slots.values()]) void this.remove(slot);
    await Promise.all(this.closing);
  }

  private async use<Result>(
    at: Place<Connection>,
    signal: AbortSignal,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const slot = this.findFree(at) ?? (await this.make(at, signal));
    try {
      return await work(slot.connection);
    } finally {
      slot.busy -= 1;
      slot.usedMs = this.now();
      this.rest(slot);
    }
  }

  private findFree(at: Place<Connection>): Slot<Connection> | null {
    const slot = this.find(at);
    if (slot !== null) promiseTo(at.holder, slot);
    return slot;
  }

  private find({ own, shared }: Place<Connection>): Slot<Connection> | null {
    for (const place of [own, shared]) {
      const slot = this.slots.get(place);
      if (slot === undefined) continue;
      const isOld = !slot.connection.hasState && this.now() - slot.bornMs > this.limits.longestMs;
      if (!slot.connection.isClosed && !isOld) return slot;
      this.forget(slot);
      if (slot.busy === 0) void this.end(slot);
    }
    return null;
  }

  /**
   * Opens one connection per run at a time, because it is only known afterwards whether the connection can be shared.
   * It is reserved for all that asked in between.
   */
  private async make(at: Place<Connection>, signal: AbortSignal): Promise<Slot<Connection>> {
    const known = this.making.get(at.own);
    if (known !== undefined) {
      known.askers.push(at.holder);
      return known.slot;
    }
    if (this.isClosed) throw new ToolServerFailure('overloaded', 'this worker is about to end');
    const { tenantId } = at.asked;
    this.makeRoom(tenantId);
    const { promise, resolve, reject } = Promise.withResolvers<Slot<Connection>>();
    const askers = [at.holder];
    this.making.set(at.own, { tenantId, askers, slot: promise });
    at.asked.connect(signal).then(
      (connection) => {
        // Synchronous, so that the slot is reserved before it could be evicted.
        this.making.delete(at.own);
        const slot = this.keep(at, connection);
        for (const asker of askers) promiseTo(asker, slot);
        resolve(slot);
      },
      (error: unknown) => {
        this.making.delete(at.own);
        reject(error);
      },
    );
    return promise;
  }

  private keep({ asked, own, shared }: Place<Connection>, connection: Connection): Slot<Connection> {
    const place = connection.hasState ? own : shared;
    const other = this.slots.get(place);
    if (other !== undefined && !other.connection.isClosed) {
      void this.track(connection.close());
      return other;
    }
    const slot: Slot<Connection> = {
      place,
      tenantId: asked.tenantId,
      connection,
      isShared: !connection.hasState && asked.runId !== null,
      bornMs: this.now(),
      holders: new Set(),
      busy: 0,
      usedMs: this.now(),
      cancelIdle: () => undefined,
    };
    this.slots.set(place, slot);
    // A closed connection is unusable, but still occupies a slot, and possibly a process.
    void connection.closed.then(() => this.remove(slot));
    return slot;
  }

  /** Throws if the limit is reached and all connections are busy. */
  private makeRoom(tenantId: string): void {
    const { most, mostPerTenant } = this.limits;
    const isOfTenant = (each: { readonly tenantId: string }): boolean => each.tenantId === tenantId;
    const slots = [...this.slots.values()];
    // Connections being opened count as open.
    const expected = [...this.making.values()];
    const own = slots.filter(isOfTenant);
    if (own.length + expected.filter(isOfTenant).length >= mostPerTenant) this.evictOf(own);
    else if (slots.length + expected.length >= most) this.evictOf(slots);
  }

  private evictOf(slots: readonly Slot<Connection>[]): void {
    const victim = selectEvictionCandidate(slots);
    if (victim === null)
      throw new ToolServerFailure('overloaded', 'too many connections to tool servers are in use');
    void this.remove(victim);
  }

  private rest(slot: Slot<Connection>): void {
    if (slot.busy > 0) return;
    if (this.slots.get(slot.place) !== slot || slot.connection.isClosed || isLeft(slot)) {
      void this.remove(slot);
      return;
    }
    slot.cancelIdle();
    slot.cancelIdle = this.timers.after(this.limits.idleMs, () => void this.remove(slot));
  }

  private remove(slot: Slot<Connection>): Promise<void> {
    this.forget(slot);
    return this.end(slot);
  }

  private forget(slot: Slot<Connection>): void {
    slot.cancelIdle();
    if (this.slots.get(slot.place) === slot) this.slots.delete(slot.place);
  }

  private end(slot: Slot<Connection>): Promise<void> {
    return this.track(slot.connection.close());
  }

  private track(closing: Promise<void>): Promise<void> {
    this.closing.add(closing);
    return closing.finally(() => this.closing.delete(closing));
  }
}

interface Place<Connection> {
  readonly asked: Asked<Connection>;
  readonly own: string;
  readonly shared: string;
  readonly holder: Asker;
}

/** A connection being opened. */
interface Making<Connection> {
  readonly tenantId: string;
  readonly askers: Asker[];
  readonly slot: Promise<Slot<Connection>>;
}
