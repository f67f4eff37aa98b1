import type { PooledConnection } from './pooled-connection.js';

/** Somebody who has asked for connections, and may until he is closed. */
export interface Asker {
  isClosed: boolean;
}

/** A connection of a pool, and who has to do with it. */
export interface Slot<Connection> {
  readonly place: string;
  readonly tenantId: string;
  readonly connection: Connection;
  /** Whether others than those who hold it may come to use it. */
  readonly isShared: boolean;
  readonly bornMs: number;
  readonly holders: Set<Asker>;
  /** Those who use it, or have it promised. */
  busy: number;
  usedMs: number;
  cancelIdle: () => void;
}

/** From now on nobody makes room by it, until who has asked is through with it. */
export function promiseTo(asker: Asker, slot: Slot<unknown>): void {
  slot.cancelIdle();
  slot.busy += 1;
  if (!asker.isClosed) slot.holders.add(asker);
}

/** Whether nobody will come back to it. */
export function isLeft({ isShared, holders }: Slot<unknown>): boolean {
  return !isShared && holders.size === 0;
}

/**
 * What to make room by: nothing that is at work or promised. What has a state is lost with its connection, so the shared
 * ones go first; of these, what was not used for longest. Null where all are at work.
 */
export function leastMissed<Connection extends PooledConnection>(
  slots: readonly Slot<Connection>[],
): Slot<Connection> | null {
  const [victim] = slots
    .filter(({ busy }) => busy === 0)
    .sort((a, b) => Number(a.connection.hasState) - Number(b.connection.hasState) || a.usedMs - b.usedMs);
  return victim ?? null;
}
