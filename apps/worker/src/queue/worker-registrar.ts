import { BullRegistrar } from '@nestjs/bullmq';
import type { Worker } from 'bullmq';
import { systemClock } from '#libs/kernel';
import { rateLimited, type Logger } from '#libs/observability';
import { DrainSignal } from '../shutdown/shutdown.js';
import { QueueProcessor } from './queue-processor.js';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { AppConfig } from '#libs/config';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/**
 * Options of queue workers. The registrar starts them. BullMQ never ends a job for stalling: a stalled job is delivered
 * again without practical limit, and the claim decides whether work is left.
 */
export const QUEUE_WORKER_OPTIONS = {
  autorun: false,
  lockDuration: 30_000,
  stalledInterval: 15_000,
  maxStalledCount: 1_000,
  // Delay after a connection failure, in milliseconds; BullMQ's default is 15 s.
  runRetryDelay: 1_000,
};

const ERROR_LOG_INTERVAL_MS = 1_000;
const PROGRESS_CHECK_INTERVAL_MS = 1_000;

/**
 * Starts the queue workers after all other parts and stops them before: no new jobs, then the drain signal, then a wait
 * for running work of at most `graceMs`.
 */
export class WorkerRegistrar {
  private readonly workers: Worker[] = [];
  private processors: readonly QueueProcessor[] = [];
  private progressTimer: NodeJS.Timeout | undefined;

  /** @param findProcessors called once, after all modules are initialized */
  constructor(
    private readonly registrar: BullRegistrar,
    private readonly findProcessors: () => readonly QueueProcessor[],
    private readonly drain: DrainSignal,
    private readonly logger: Logger,
    private readonly graceMs: number,
  ) {}

  /**
   * Throws if a worker cannot reach its queue: BullMQ's PostgreSQL backend caches a failed first connection, so that the
   * worker would fail for ever, in a busy loop.
   */
  async start(): Promise<void> {
    this.registrar.register();
    this.processors = this.findProcessors();
    await Promise.all(this.processors.map(({ worker }) => worker.waitUntilReady()));
    for (const { worker, concurrency } of this.processors) {
      worker.concurrency = concurrency;
      worker.on(
        'error',
        rateLimited(
          (err, suppressed) => this.logger.warn({ err, suppressed, queue: worker.name }, 'queue error'),
          ERROR_LOG_INTERVAL_MS,
          () => systemClock.monotonic(),
        ),
      );
      worker.on('failed', (job, err) =>
        this.logger.warn({ err, queue: worker.name, jobId: job?.id }, 'job failed'),
      );
      worker
        .run()
        .catch((err: unknown) => this.logger.error({ err, queue: worker.name }, 'queue worker ended'));
      this.workers.push(worker);
    }
    this.progressTimer = setInterval(() => {
      for (const { progress } of this.processors) void progress.check();
    }, PROGRESS_CHECK_INTERVAL_MS);
  }

  /** Whether every queue worker runs and takes jobs. */
  get isLive(): boolean {
    return (
      this.workers.every((worker) => worker.isRunning()) &&
      this.processors.every(({ progress }) => !progress.isStuck)
    );
  }

  /** Returns false if work was still running after the grace period; its next attempt runs on another worker. */
  async stop(): Promise<boolean> {
    clearInterval(this.progressTimer);
    const closing = Promise.all(this.workers.map((worker) => worker.close()))
      .then(() => Promise.all(this.processors.map((processor) => processor.ended())))
      .then(() => true);
    this.drain.drain();
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), this.graceMs);
    });
    return Promise.race([closing, grace]).finally(() => clearTimeout(timer));
  }
}

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
