import { every, OneAtATime, type Timers } from '#libs/kernel';
import type { Places } from './places.js';

export interface ReserveOptions {
  readonly places: Places;
  /** Executions beside those that have a place. */
  readonly slots: number;
  readonly lookEveryMs: number;
  readonly timers: Timers;
  /** Executions that wait although their tenants hold less than their share; at most `tenantLimit` of each. */
  readonly find: (
    limit: number,
    tenantLimit: number,
  ) => Promise<readonly { readonly executionId: string; readonly tenantId: string }[]>;
  readonly run: (executionId: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * When every place is taken, perhaps by one tenant and for minutes, this takes up what waits of tenants that hold less than
 * their share: places are not taken back from who has them, and a tenant that is alone may have them all. Work is mostly
 * waiting, so a few executions more do no harm. Only what two looks in a row have found: what was sent just now has a job
 * that a worker with a free place is about to take. No tenant takes all of the reserve: each may hold as much of it as is
 * free then, so that something is left for the next one.
 */
export class Reserve {
  /** Execution and its tenant. */
  private readonly running = new Map<string, string>();
  private readonly runs = new Set<Promise<void>>();
  private foundBefore: ReadonlySet<string> = new Set();
  private stopLooking: (() => void) | undefined;
  private readonly looks = new OneAtATime();

  constructor(private readonly options: ReserveOptions) {}

  start(): void {
    const { slots, timers, lookEveryMs } = this.options;
    if (slots > 0) this.stopLooking = every(timers, lookEveryMs, () => void this.look());
  }

  /** Takes up nothing more, and resolves when nothing runs. */
  async stop(): Promise<void> {
    this.stopLooking?.();
    this.stopLooking = undefined;
    await Promise.all(this.runs);
  }

  /** Looks once. */
  look(): Promise<void> {
    return this.looks.orSkip(() => this.takeUp());
  }

  private async takeUp(): Promise<void> {
    const { find, onError, places } = this.options;
    const { foundBefore } = this;
    this.foundBefore = new Set();
    if (!places.areTaken || this.free === 0) return;
    try {
      const found = await find(this.free, Math.ceil(this.free / 2));
      this.foundBefore = new Set(found.map(({ executionId }) => executionId));
      for (const { executionId, tenantId } of found)
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
