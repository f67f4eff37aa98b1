import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ExecutionMeter } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { modelProviders } from '#libs/model-providers';
import {
  BlobMetrics,
  ExecutionMetrics,
  Metrics,
  PoolMetrics,
  warnRarely,
  WebhookMetrics,
  WorkMetrics,
  type Logger,
} from '#libs/observability';
import { measurePool, readWorkOverview } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { SUSPECT_AFTER_LOSSES } from '../execute/suspects.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/** What this process counts of itself. */
export const metricsProviders: Provider[] = [
  Metrics,
  {
    provide: ExecutionMeter,
    inject: [Metrics, WORKER_CONFIG],
    useFactory: (metrics: Metrics, { defaultModel }: AppConfig) =>
      new ExecutionMetrics(metrics, [...predefinedModels(), defaultModel.model]),
  },
  {
    provide: WebhookMetrics,
    inject: [Metrics],
    useFactory: (metrics: Metrics) => new WebhookMetrics(metrics),
  },
  { provide: BlobMetrics, inject: [Metrics], useFactory: (metrics: Metrics) => new BlobMetrics(metrics) },
  {
    provide: PoolMetrics,
    inject: [Metrics, DataSource],
    useFactory: (metrics: Metrics, dataSource: DataSource) =>
      measurePool(metrics, dataSource, () => systemClock.monotonic()),
  },
];

/** What there is to do in the whole service: said by the workers that keep house, not by each. */
export const workMetricsProvider: Provider = {
  provide: WorkMetrics,
  inject: [Metrics, DataSource, LOGGER],
  useFactory: (metrics: Metrics, dataSource: DataSource, logger: Logger) =>
    new WorkMetrics(
      metrics,
      () => readWorkOverview(dataSource, SUSPECT_AFTER_LOSSES),
      systemClock,
      warnRarely(logger, 'work not measured'),
    ),
};

function predefinedModels(): string[] {
  return modelProviders.list().flatMap(({ models }) => models.map(({ id }) => id));
}
