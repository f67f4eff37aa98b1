import { Global, Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ExecutionMeter } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { modelProviders } from '#libs/model-providers';
import { BlobMetrics, ExecutionMetrics, Metrics, PoolMetrics, WebhookMetrics } from '#libs/observability';
import { measurePool } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { WORKER_CONFIG } from '../worker.tokens.js';

const METERS = [WebhookMetrics, BlobMetrics] as const;

/** Counters of this process. */
@Global()
@Module({
  providers: [
    Metrics,
    ...METERS.map((Meter) => ({
      provide: Meter,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new Meter(metrics),
    })),
    {
      provide: ExecutionMeter,
      inject: [Metrics, WORKER_CONFIG],
      useFactory: (metrics: Metrics, { defaultModel }: AppConfig) =>
        new ExecutionMetrics(metrics, [...predefinedModels(), defaultModel.model]),
    },
    {
      provide: PoolMetrics,
      inject: [Metrics, DataSource],
      useFactory: (metrics: Metrics, dataSource: DataSource) =>
        measurePool(metrics, dataSource, () => systemClock.monotonic()),
    },
  ],
  exports: [Metrics, ...METERS, ExecutionMeter, PoolMetrics],
})
export class MetricsModule {}

function predefinedModels(): string[] {
  return modelProviders.list().flatMap(({ models }) => models.map(({ id }) => id));
}
