import type { MonotonicClock } from '#libs/kernel';
import type { Backlog } from '#libs/policy';

/** Queued executions of one tenant. */
export interface TenantBacklog {
  readonly queued: number;
  /** Longest wait of an execution that lacks only a free worker, in milliseconds. */
  readonly waitMs: number;
}

/** Validity of a measurement, in milliseconds. */
const MEASURE_EVERY_MS = 1_000;

/**
 * Number of queued executions, measured at most once a second for all callers. It lacks later accepts, so near a limit
 * the accept itself counts (`limitsToCount`).
 */
export class BacklogGauge {
  private measured: ReadonlyMap<string, TenantBacklog> = new Map();
  private queued = 0;
  private measuredAt = -Infinity;
  private measuring: Promise<void> | undefined;

  constructor(
    private readonly measure: () => Promise<ReadonlyMap<string, TenantBacklog>>,
    private readonly clock: MonotonicClock,
  ) {}

  async read(tenantId: string): Promise<Backlog> {
    if (this.clock.monotonic() - this.measuredAt >= MEASURE_EVERY_MS) {
      this.measuring ??= this.refresh().finally(() => (this.measuring = undefined));
      await this.measuring;
    }
    const { queued, waitMs } = this.measured.get(tenantId) ?? { queued: 0, waitMs: 0 };
    return {
      queued: this.queued,
      tenantQueued: queued,
      tenantWaitMs: waitMs,
    };
  }

  private async refresh(): Promise<void> {
    this.measured = await this.measure();
    this.queued = 0;
    for (const { queued } of this.measured.values()) this.queued += queued;
    this.measuredAt = this.clock.monotonic();
  }
}
