import type { BullRegistrar } from '@nestjs/bullmq';
import type { Worker } from 'bullmq';
import { systemClock } from '#libs/kernel';
import { rateLimited, type Logger } from '#libs/observability';
import type { DrainSignal } from '../shutdown/shutdown.js';
import type { QueueProcessor } from './queue-processor.js';

/**
 * Workers start when the registrar says so. BullMQ never decides an ending: a job that stalls is handed out again as
 * often as it takes, and the claim decides whether anything is left to do.
 */
export const QUEUE_WORKER_OPTIONS = {
  autorun: false,
  lockDuration: 30_000,
  stalledInterval: 15_000,
  maxStalledCount: 1_000,
  // After trouble with the connection; its own is 15 s.
  runRetryDelay: 1_000,
};

const ERROR_LOG_INTERVAL_MS = 1_000;
const PROGRESS_CHECK_INTERVAL_MS = 1_000;

/**
 * Starts the queue workers after everything else stands, and ends them before anything else falls: no new jobs, then
 * the drain signal, then wait for what runs, at most `graceMs`.
 */
export class WorkerRegistrar {
  private readonly workers: Worker[] = [];
  private processors: readonly QueueProcessor[] = [];
  private progressTimer: NodeJS.Timeout | undefined;

  /** @param findProcessors called once, when everything is made */
  constructor(
    private readonly registrar: BullRegistrar,
    private readonly findProcessors: () => readonly QueueProcessor[],
    private readonly drain: DrainSignal,
    private readonly logger: Logger,
    private readonly graceMs: number,
  ) {}

  /**
   * Throws when a worker cannot reach its queue now: BullMQ's PostgreSQL backend never forgets a first try in vain, so
   * that such a worker would fail for ever, and in a loop that leaves time for nothing else.
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
          (err, suppressed) => this.logger.warn({ err, suppressed, queue: worker.name }, 'queue trouble'),
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

  /** Whether every queue worker runs, and none has stopped taking jobs. */
  get isLive(): boolean {
    return (
      this.workers.every((worker) => worker.isRunning()) &&
      this.processors.every(({ progress }) => !progress.isStuck)
    );
  }

  /** Answers false when something still ran after the grace period; the next attempt of it begins elsewhere. */
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
