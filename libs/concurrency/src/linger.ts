import type { MonotonicClock, Timers } from '#libs/kernel';

/** Number of arrivals that are averaged. */
const RECENT = 16;
/** Average time between arrivals up to which a batch waits, in milliseconds. */
const MAX_GAP_MS = 10;

/**
 * Wait of a batch before it begins, while a hundred items a second or more arrive beside others, so that more of them
 * share its fixed costs. Otherwise a batch begins at once, so that a single caller never waits.
 */
export class Linger {
  /** Times of the last arrivals, the oldest at `next`. */
  private readonly arrivals = new Float64Array(RECENT).fill(-Infinity);
  private next = 0;

  /** @param waitMs wait of a batch for further items, in milliseconds */
  constructor(
    private readonly waitMs: number,
    private readonly clock: MonotonicClock,
    private readonly timers: Timers,
  ) {}

  /** Notes the arrival of an item while others wait or run. */
  arrive(): void {
    this.arrivals[this.next] = this.clock.monotonic();
    this.next = (this.next + 1) % RECENT;
  }

  /** Begins a batch after the wait: by a timer, or by `atOnce` without a wait. */
  begin(batch: () => void, atOnce: (batch: () => void) => void): void {
    if (this.isBusy) this.timers.after(this.waitMs, batch);
    else atOnce(batch);
  }

  private get isBusy(): boolean {
    const oldest = this.arrivals[this.next] ?? -Infinity;
    return this.clock.monotonic() - oldest <= RECENT * MAX_GAP_MS;
  }
}
