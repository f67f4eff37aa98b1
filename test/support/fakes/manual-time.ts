import type { Clock, Timers } from '#libs/kernel';

/** A clock and timers that advance when a test says so. */
export class ManualTime implements Clock, Timers {
  private nowMs = 0;
  private readonly waiting = new Set<{ readonly at: number; readonly act: () => void }>();

  now(): number {
    return this.nowMs;
  }

  monotonic(): number {
    return this.nowMs;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.nowMs + ms, act };
    this.waiting.add(timer);
    return () => this.waiting.delete(timer);
  }

  /** True if no timer is pending. */
  get isIdle(): boolean {
    return this.waiting.size === 0;
  }

  /** Advances the clock; after each timer, waits for all work that needs no further timer. */
  async pass(ms: number): Promise<void> {
    const until = this.nowMs + ms;
    for (;;) {
      const [next] = [...this.waiting].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.waiting.delete(next);
      this.nowMs = Math.max(this.nowMs, next.at);
      next.act();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.nowMs = until;
  }
}
