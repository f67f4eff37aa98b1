import type pg from 'pg';

type OnConnected = Parameters<pg.Pool['connect']>[0];

/**
 * Says of each connection that is taken from a pool how long was waited for it, in milliseconds: also of those that could
 * not be had. The pool itself has no event for it.
 */
export function watchPool(pool: pg.Pool, now: () => number, onWait: (waitedMs: number) => void): void {
  const take = pool.connect.bind(pool);
  const connect = (onConnected?: OnConnected): Promise<pg.PoolClient> | undefined => {
    const begunAt = now();
    const waited = (): void => onWait(now() - begunAt);
    if (onConnected === undefined) return take().finally(waited);
    take((error, client, release) => {
      waited();
      onConnected(error, client, release);
    });
    return undefined;
  };
  pool.connect = connect as pg.Pool['connect'];
}
