import type { DataSource } from 'typeorm';
import { PoolMetrics, type Metrics } from '#libs/observability';
import { poolOf } from './connection-pool.js';
import { watchPool } from './watch-pool.js';

/**
 * Counts the connections of the pool behind a data source from now on, and measures how long each was waited for.
 *
 * @param now milliseconds that never go back
 */
export function measurePool(metrics: Metrics, dataSource: DataSource, now: () => number): PoolMetrics {
  const pool = poolOf(dataSource);
  const counted = new PoolMetrics(metrics, pool);
  watchPool(pool, now, (waitedMs) => counted.recordWait(waitedMs / 1_000));
  return counted;
}
