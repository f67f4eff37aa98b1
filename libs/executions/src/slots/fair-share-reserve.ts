import { every, OneAtATime, type Timers } from '#libs/kernel';
import type { ExecutionSlots } from './execution-slots.js';

/** Waiting executions of tenants below their share. */
export interface Underserved {
  readonly executions: readonly { readonly executionId: string; readonly tenantId: string }[];
  /** The last tenant that was looked at; the next look may go on after it. */
  readonly last: string;
}

export interface ReserveOptions {
  readonly places: ExecutionSlots;
  /** Executions allowed beyond the regular slots. */
  readonly slots: number;
  readonly lookEveryMs: number;
  readonly timers: Timers;
  /** Finds waiting executions, at most `tenantLimit` of each tenant, among some tenants that follow `after`. */
  readonly find: (limit: number, tenantLimit: number, after: string) => Promise<Underserved>;
  readonly run: (executionId: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs extra executions of tenants below their share while all slots are taken, perhaps by one tenant for minutes: slots
 * are not preempted, and a lone tenant may use all. A few extra executions are harmless because most time is spent
 * waiting. Only executions found twice in a row are run, since a new one has a job that a free worker is about to take.
 * Each tenant gets at most as many extra slots as are free at that time, so that some remain for others.
 */
export class FairShareReserve {
  /** Tenant by execution id. */
  private readonly running = new Map<string, string>();
  private readonly runs = new Set<Promise<void>>();
  private foundBefore: ReadonlySet<string> = new Set();
  /** The tenant after which a look begins. It stays until a look finds nothing that the look before has not found. */
  private after = '';
  private stopLooking: (() => void) | undefined;
  private readonly looks = new OneAtATime();

  constructor(private readonly options: ReserveOptions) {}

  start(): void {
    const { slots, timers, lookEveryMs } = this.options;
    if (slots > 0) this.stopLooking = every(timers, lookEveryMs, () => void this.look());
  }

  /** Starts no further executions; resolves once none runs. */
  async stop(): Promise<void> {
    this.stopLooking?.();
    this.stopLooking = undefined;
    await Promise.all(this.runs);
  }

  look(): Promise<void> {
    return this.looks.orSkip(() => this.claimSome());
  }

  private async claimSome(): Promise<void> {
    const { find, onError, places } = this.options;
    const { foundBefore } = this;
    this.foundBefore = new Set();
    if (!places.areTaken || this.free === 0) return;
    try {
      const { executions, last } = await find(this.free, Math.ceil(this.free / 2), this.after);
      this.foundBefore = new Set(executions.map(({ executionId }) => executionId));
      if (executions.every(({ executionId }) => foundBefore.has(executionId))) this.after = last;
      for (const { executionId, tenantId } of executions)
        if (foundBefore.has(executionId) && this.mayTake(executionId, tenantId))
          this.begin(executionId, tenantId);
    } catch (error) {
      onError(error);
    }
  }

  private get free(): number {
    return this.options.slots - this.running.size;
  }

  private mayTake(executionId: string, tenantId: string): boolean {
    const held = [...this.running.values()].filter((other) => other === tenantId).length;
    return this.free > 0 && held < this.free && !this.running.has(executionId);
  }

  private begin(executionId: string, tenantId: string): void {
    this.running.set(executionId, tenantId);
    const run = this.options
      .run(executionId)
      .catch(this.options.onError)
      .finally(() => {
        this.running.delete(executionId);
        this.runs.delete(run);
      });
    this.runs.add(run);
  }
}
