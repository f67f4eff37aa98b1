import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../http/rate-limits.module.js';
import { ConsoleSessionsController } from './console-sessions.controller.js';
import { ConsoleSessionsService } from './console-sessions.service.js';

@Module({
  imports: [RateLimitsModule],
  controllers: [ConsoleSessionsController],
  providers: [ConsoleSessionsService],
})
export class ConsoleSessionsModule {}
