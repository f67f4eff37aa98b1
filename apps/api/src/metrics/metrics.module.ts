import { Module } from '@nestjs/common';
import { MetricsServer } from './metrics-server.js';

/** Serves all metrics of the process. */
@Module({ providers: [MetricsServer] })
export class MetricsModule {}
