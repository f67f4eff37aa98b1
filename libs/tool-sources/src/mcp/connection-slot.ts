import type { PooledConnection } from './pooled-connection.js';

/** A user of connections, until closed. */
export interface Asker {
  isClosed: boolean;
}

/** A pooled connection with its users. */
export interface Slot<Connection> {
  readonly place: string;
  readonly tenantId: string;
  readonly connection: Connection;
  /** True if runs other than the current holders may use it. */
  readonly isShared: boolean;
  readonly bornMs: number;
  readonly holders: Set<Asker>;
  /** Number of running or reserved uses. */
  busy: number;
  usedMs: number;
  cancelIdle: () => void;
}

/** Reserves the slot for `asker`, so that it is not evicted before use. */
export function promiseTo(asker: Asker, slot: Slot<unknown>): void {
  slot.cancelIdle();
  slot.busy += 1;
  if (!asker.isClosed) slot.holders.add(asker);
}

/** True if no run will use the connection again. */
export function isLeft({ isShared, holders }: Slot<unknown>): boolean {
  return !isShared && holders.size === 0;
}

/**
 * Selects the eviction candidate among idle connections: stateless ones first, because a stateful session would be
 * lost, then the least recently used. Null if all are busy.
 */
export function selectEvictionCandidate<Connection extends PooledConnection>(
  slots: readonly Slot<Connection>[],
): Slot<Connection> | null {
  const [victim] = slots
    .filter(({ busy }) => busy === 0)
    .sort((a, b) => Number(a.connection.hasState) - Number(b.connection.hasState) || a.usedMs - b.usedMs);
  return victim ?? null;
}
