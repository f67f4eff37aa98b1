import { BullRegistrar } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { DrainSignal } from '../shutdown/shutdown.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { QueueProcessor } from './queue-processor.js';
import { WorkerRegistrar } from './worker-registrar.js';

/** Registers the processors of all modules of this worker. */
@Injectable()
export class DiscoveredRegistrar extends WorkerRegistrar {
  constructor(
    registrar: BullRegistrar,
    discovery: DiscoveryService,
    drain: DrainSignal,
    @Inject(LOGGER) logger: Logger,
    @Inject(WORKER_CONFIG) { worker }: AppConfig,
  ) {
    const findProcessors = () =>
      discovery
        .getProviders()
        .map(({ instance }): unknown => instance)
        .filter((instance) => instance instanceof QueueProcessor);
    super(registrar, findProcessors, drain, logger, worker.shutdownGraceMs);
  }
}
