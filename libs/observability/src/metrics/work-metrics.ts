import type { MonotonicClock } from '#libs/kernel';
import type { Metrics } from './metrics.js';

/** The backlog of the whole service, as the database reports it. */
export interface WorkReading {
  readonly lines: readonly WorkLine[];
  /** Unfinished executions that are suspected of crashing their workers. */
  readonly suspects: number;
  /** Registered workers, and the executions that they can run at once. */
  readonly workers: number;
  readonly places: number;
}

export interface WorkLine {
  readonly kind: string;
  readonly state: string;
  readonly depth: number;
  /** Seconds that the oldest item has been in this state; 0 without items. */
  readonly oldestSeconds: number;
}

/**
 * Minimum milliseconds between readings, however often metrics are scraped: the cost of a reading grows with the
 * backlog.
 */
const READ_EVERY_MS = 10_000;

type Seen = { readonly kind: 'read'; readonly reading: WorkReading } | { readonly kind: 'unreadable' };

/**
 * Metrics of the backlog, read from the database on a scrape, at most every 10 s. If the reading fails, its series are
 * omitted, since an old value would look like a quiet system.
 */
export class WorkMetrics {
  private readAt = -Infinity;
  private reading: Promise<Seen> | undefined;
  private readonly failures;

  constructor(
    metrics: Metrics,
    private readonly read: () => Promise<WorkReading>,
    private readonly clock: MonotonicClock,
    private readonly onError: (error: unknown) => void,
  ) {
    this.failures = metrics.counter({
      name: 'capstan_work_reading_failures_total',
      help: 'Failed reads of the work queues from the database.',
    });
    this.expose(metrics, 'capstan_queue_depth', 'Queued work, by kind and state.', (reading, set) => {
      for (const { kind, state, depth } of reading.lines) set(depth, { kind, state });
    });
    this.expose(
      metrics,
      'capstan_queue_oldest_seconds',
      'Age of the oldest queued work in seconds, by kind and state; for webhooks the age of the event.',
      (reading, set) => {
        for (const { kind, state, oldestSeconds } of reading.lines) set(oldestSeconds, { kind, state });
      },
    );
    const plain = (name: `capstan_${string}`, help: string, of: (reading: WorkReading) => number) =>
      metrics.gauge({ name, help }, async (gauge) => {
        const seen = await this.look();
        gauge.remove();
        if (seen.kind === 'read') gauge.set(of(seen.reading));
      });
    plain(
      'capstan_suspect_executions',
      'Unsettled executions that lost two attempts in a row.',
      (r) => r.suspects,
    );
    plain('capstan_workers', 'Registered worker processes.', (r) => r.workers);
    plain('capstan_worker_places', 'Execution slots of all workers.', (r) => r.places);
  }

  private expose(
    metrics: Metrics,
    name: `capstan_${string}`,
    help: string,
    fill: (
      reading: WorkReading,
      set: (value: number, labels: { kind: string; state: string }) => void,
    ) => void,
  ): void {
    metrics.gauge({ name, help, labels: ['kind', 'state'] }, async (gauge) => {
      const seen = await this.look();
      gauge.reset();
      if (seen.kind === 'read') fill(seen.reading, (value, labels) => gauge.set(labels, value));
    });
  }

  /** Shares one reading among all scrapes within 10 s. */
  private look(): Promise<Seen> {
    const now = this.clock.monotonic();
    if (this.reading === undefined || now - this.readAt >= READ_EVERY_MS) {
      this.readAt = now;
      this.reading = this.readOnce();
    }
    return this.reading;
  }

  private async readOnce(): Promise<Seen> {
    try {
      return { kind: 'read', reading: await this.read() };
    } catch (error) {
      this.failures.inc();
      this.onError(error);
      return { kind: 'unreadable' };
    }
  }
}
