import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { createLogger, NestLogger } from '#libs/observability';
import { WorkerModule } from './worker.module.js';

/** Makes a worker that has begun to work. `close()` lets it finish, within its grace period. */
export async function createWorkerApp(
  config: AppConfig,
  logger = createLogger('worker', config.logLevel),
  module = WorkerModule.forRoot(config, logger),
): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(module, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
}
