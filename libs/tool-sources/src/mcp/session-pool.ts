import { ToolServerFailure } from '#libs/tooling';
import type { Timers } from '#libs/kernel';

/** What a pool needs to know of a connection. */
export interface PooledConnection {
  /** Whether the other side remembers what was said: then it belongs to one run. */
  readonly hasState: boolean;
  readonly isClosed: boolean;
  /** Never throws. */
  close(): Promise<void>;
}

export interface PoolLimits {
  /** Connections at the same time, of all tenants, and of one. */
  readonly most: number;
  readonly mostPerTenant: number;
  /** Milliseconds without a request until a connection is closed. */
  readonly idleMs: number;
  /** Milliseconds after which a shared connection is given to nobody any more. */
  readonly longestMs: number;
}

/** Who asks for a connection, and how it is made. */
export interface Asked<Connection> {
  readonly tenantId: string;
  /** The same for all that may speak on one connection: tenant, server and credentials. */
  readonly key: string;
  /** For whom; the same run gets the same connection. Null: nobody else may ever use it. */
  readonly runId: string | null;
  connect(signal: AbortSignal): Promise<Connection>;
}

/** Somebody who may ask for a connection until he is closed. */
export interface Holder<Connection> {
  /**
   * Has `work` done on the connection, which is made where there is none or it was closed meanwhile. Rejects with what
   * `connect` rejects with, with `ToolServerFailure` where there are too many, or with what `work` does.
   */
  use<Result>(signal: AbortSignal, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** The connection is of no use any more: whoever asks next gets another one. */
  drop(connection: Connection): void;
  /** What nobody else holds and has a state is closed; what may be shared is kept for a while. */
  close(): Promise<void>;
}

interface Slot<Connection> {
  readonly place: string;
  readonly tenantId: string;
  readonly connection: Connection;
  readonly bornMs: number;
  readonly holders: Set<object>;
  busy: number;
  usedMs: number;
  cancelIdle: () => void;
}

/** Connections that are kept, few enough, and not for ever. Time comes in from outside. */
export class SessionPool<Connection extends PooledConnection> {
  private readonly slots = new Map<string, Slot<Connection>>();
  private readonly making = new Map<string, Promise<Slot<Connection>>>();
  /** Being made, by tenant: they count as if they were there. */
  private readonly expected: string[] = [];
  private readonly closing = new Set<Promise<void>>();
  private holders = 0;
  private isClosed = false;

  constructor(
    private readonly limits: PoolLimits,
    private readonly timers: Timers,
    private readonly now: () => number,
  ) {}

  /** How many connections there are. */
  get size(): number {
    return this.slots.size;
  }

  hold(asked: Asked<Connection>): Holder<Connection> {
    this.holders += 1;
    const own = asked.runId === null ? `only ${this.holders}` : `run ${asked.runId} ${asked.key}`;
    const shared = asked.runId === null ? own : `all ${asked.key}`;
    const holder = {};
    return {
      use: (signal, work) => this.use({ asked, own, shared, holder }, signal, work),
      drop: (connection) => {
        for (const slot of this.slots.values()) if (slot.connection === connection) void this.remove(slot);
      },
      close: async () => {
        const ends: Promise<void>[] = [];
        for (const place of [own, shared]) {
          const slot = this.slots.get(place);
          slot?.holders.delete(holder);
          const isOnlyOurs = place === own || asked.runId === null;
          if (slot?.holders.size === 0 && isOnlyOurs) ends.push(this.remove(slot));
        }
        // For its own only: others may say goodbye to servers that take their time.
        await Promise.all(ends);
      },
    };
  }

  /** Closes every connection, also under work. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.making.values());
    for (const slot of [...this.slots.values()]) void this.remove(slot);
    await Promise.all(this.closing);
  }

  private async use<Result>(
    at: Place<Connection>,
    signal: AbortSignal,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const slot = this.find(at) ?? (await this.make(at, signal));
    slot.cancelIdle();
    slot.busy += 1;
    slot.holders.add(at.holder);
    try {
      return await work(slot.connection);
    } finally {
      slot.busy -= 1;
      slot.usedMs = this.now();
      this.rest(slot);
    }
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

  /** One for each run at a time: only then is it known whether it can be shared. */
  private async make(at: Place<Connection>, signal: AbortSignal): Promise<Slot<Connection>> {
    const known = this.making.get(at.own);
    if (known !== undefined) return known;
    const making = this.connect(at, signal);
    this.making.set(at.own, making);
    try {
      return await making;
    } finally {
      this.making.delete(at.own);
    }
  }

  private async connect(
    { asked, own, shared }: Place<Connection>,
    signal: AbortSignal,
  ): Promise<Slot<Connection>> {
    if (this.isClosed) throw new ToolServerFailure('overloaded', 'this worker is about to end');
    this.makeRoom(asked.tenantId);
    this.expected.push(asked.tenantId);
    let connection: Connection;
    try {
      connection = await asked.connect(signal);
    } finally {
      this.expected.splice(this.expected.indexOf(asked.tenantId), 1);
    }
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
      bornMs: this.now(),
      holders: new Set(),
      busy: 0,
      usedMs: this.now(),
      cancelIdle: () => undefined,
    };
    this.slots.set(place, slot);
    return slot;
  }

  /** Throws where there are too many and each of them is at work. */
  private makeRoom(tenantId: string): void {
    const { most, mostPerTenant } = this.limits;
    const isOfTenant = (each: string): boolean => each === tenantId;
    const slots = [...this.slots.values()];
    const own = slots.filter((slot) => isOfTenant(slot.tenantId));
    if (own.length + this.expected.filter(isOfTenant).length >= mostPerTenant) this.evictOf(own);
    else if (slots.length + this.expected.length >= most) this.evictOf(slots);
  }

  /** What has a state is lost with its connection, so the shared ones go first; of these, what was not used for longest. */
  private evictOf(slots: readonly Slot<Connection>[]): void {
    const [victim] = slots
      .filter(({ busy }) => busy === 0)
      .sort((a, b) => Number(a.connection.hasState) - Number(b.connection.hasState) || a.usedMs - b.usedMs);
    if (victim === undefined)
      throw new ToolServerFailure('overloaded', 'too many connections to tool servers are in use');
    void this.remove(victim);
  }

  private rest(slot: Slot<Connection>): void {
    if (slot.busy > 0) return;
    if (this.slots.get(slot.place) !== slot || slot.connection.isClosed) {
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
  readonly holder: object;
}
