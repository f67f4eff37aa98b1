import type { Provider } from '@nestjs/common';
import { ExecutionMeter } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { BlobMetrics, ExecutionMetrics, HttpMetrics, Metrics, PoolMetrics } from '#libs/observability';
import { measurePool } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { MetricsServer } from './metrics-server.js';

/** What the API counts of its requests, and where it is read. */
export const metricsProviders: Provider[] = [
  MetricsServer,
  {
    provide: HttpMetrics,
    inject: [Metrics],
    useFactory: (metrics: Metrics) => new HttpMetrics(metrics),
  },
];

/** What this process counts of itself. */
export const meterProviders: Provider[] = [
  Metrics,
  {
    provide: ExecutionMeter,
    inject: [Metrics],
    // It calls no model.
    useFactory: (metrics: Metrics) => new ExecutionMetrics(metrics, []),
  },
  { provide: BlobMetrics, inject: [Metrics], useFactory: (metrics: Metrics) => new BlobMetrics(metrics) },
  {
    provide: PoolMetrics,
    inject: [Metrics, DataSource],
    useFactory: (metrics: Metrics, dataSource: DataSource) =>
      measurePool(metrics, dataSource, () => systemClock.monotonic()),
  },
];
