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
 * The number of waiting executions, measured once a second however many ask. Accepts since then are not in it: near a limit
 * the accept counts by itself (`limitsToCount`).
 */
export class BacklogGauge {
  private measured: ReadonlyMap<string, TenantBacklog> = new Map();
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
      queued: sum([...this.measured.values()].map((tenant) => tenant.queued)),
      tenantQueued: queued,
      tenantWaitMs: waitMs,
    };
  }

  private async refresh(): Promise<void> {
    this.measured = await this.measure();
    this.measuredAt = this.clock.monotonic();
  }
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
