import { Module } from '@nestjs/common';
import { HttpMetrics, Metrics } from '#libs/observability';
import { MetricsServer } from './metrics-server.js';

/** Counts requests of the API, and serves all metrics of the process. */
@Module({
  providers: [
    MetricsServer,
    { provide: HttpMetrics, inject: [Metrics], useFactory: (metrics: Metrics) => new HttpMetrics(metrics) },
  ],
})
export class MetricsModule {}
