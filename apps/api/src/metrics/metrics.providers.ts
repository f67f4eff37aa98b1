import type { Provider } from '@nestjs/common';
import { ExecutionMeter } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { BlobMetrics, ExecutionMetrics, Metrics, PoolMetrics } from '#libs/observability';
import { measurePool } from '#libs/persistence';
import { DataSource } from 'typeorm';

/** Metrics of an API process. */
export const meterProviders: Provider[] = [
  Metrics,
  {
    provide: ExecutionMeter,
    inject: [Metrics],
    // An API process calls no models.
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
