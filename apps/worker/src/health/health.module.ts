import { Module } from '@nestjs/common';
import { ConnectedHealth } from './connected-health.js';
import { WorkerHealth } from './worker-health.js';

/** Health of this worker for its supervisor. */
@Module({
  providers: [{ provide: WorkerHealth, useClass: ConnectedHealth }],
  exports: [WorkerHealth],
})
export class HealthModule {}
