import { Module } from '@nestjs/common';
import { ConnectedHealth } from './connected-health.js';
import { WorkerHealth } from './worker-health.js';

/** Health of this worker, as its supervisor asks for it. */
@Module({
  providers: [{ provide: WorkerHealth, useClass: ConnectedHealth }],
  exports: [WorkerHealth],
})
export class HealthModule {}
