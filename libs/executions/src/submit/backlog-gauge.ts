import type { MonotonicClock } from '#libs/kernel';
import type { Backlog } from '#libs/policy';

/** What of one tenant waits for a worker. */
export interface TenantBacklog {
  readonly queued: number;
  /** How long the longest waiting of those that nothing but a free worker is missing to has waited, in milliseconds. */
  readonly waitMs: number;
}

/** How long a measurement is good for. */
const MEASURE_EVERY_MS = 1_000;

/**
 * What waits, measured once a second however many ask, plus what this process has accepted since. Other processes accept
 * too, so a limit may be passed by what all of them accept within a second.
 */
export class BacklogGauge {
  private measured: ReadonlyMap<string, TenantBacklog> = new Map();
  private measuredAt = -Infinity;
  private measuring: Promise<void> | undefined;
  private acceptedSince = new Map<string, number>();

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
      queued:
        sum([...this.measured.values()].map((tenant) => tenant.queued)) + sum(this.acceptedSince.values()),
      tenantQueued: queued + (this.acceptedSince.get(tenantId) ?? 0),
      tenantWaitMs: waitMs,
    };
  }

  noteAccepted(tenantId: string): void {
    this.acceptedSince.set(tenantId, (this.acceptedSince.get(tenantId) ?? 0) + 1);
  }

  private async refresh(): Promise<void> {
    // What is accepted while the database counts may be counted twice, for a second: rather that than not at all.
    this.acceptedSince = new Map();
    this.measured = await this.measure();
    this.measuredAt = this.clock.monotonic();
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
