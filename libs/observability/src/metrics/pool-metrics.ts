import type { Metrics } from './metrics.js';

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** The current connection counts of a pool. */
export interface CountedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Requests that wait for a connection. */
  readonly waitingCount: number;
}

/** Metrics of a process's database pool. */
export class PoolMetrics {
  private readonly waits;

  constructor(metrics: Metrics, pool: CountedPool) {
    this.waits = metrics.histogram({
      name: 'capstan_database_pool_wait_seconds',
      help: 'Seconds of waiting for a connection of the database pool.',
      buckets: SECONDS,
    });
    metrics.gauge(
      {
        name: 'capstan_database_pool_connections',
        help: 'Connections of the database pool of this process, by state.',
        labels: ['state'],
      },
      (gauge) => {
        gauge.set({ state: 'idle' }, pool.idleCount);
        gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      },
    );
    metrics.gauge(
      {
        name: 'capstan_database_pool_waiting',
        help: 'Requests waiting for a connection of the database pool of this process.',
      },
      (gauge) => gauge.set(pool.waitingCount),
    );
  }

  recordWait(seconds: number): void {
    this.waits.observe(seconds);
  }
}
