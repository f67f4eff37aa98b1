import { Module } from '@nestjs/common';
import { CheckReadiness, HealthController } from './health.controller.js';

@Module({
  controllers: [HealthController],
  providers: [CheckReadiness],
})
export class HealthModule {}
