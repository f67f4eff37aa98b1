import type { Timers } from '#libs/kernel';

/**
 * Passes triggers on, the first at once and then at most one in `everyMs`: what many ends in a row may have made due is
 * looked for once. None is lost: one that comes too early is passed on when it is time.
 */
export class PacedTrigger {
  private isPaused = false;
  private isWanted = false;

  constructor(
    private readonly pass: () => void,
    private readonly everyMs: number,
    private readonly timers: Timers,
  ) {}

  trigger(): void {
    this.isWanted = true;
    if (!this.isPaused) this.passOn();
  }

  private passOn(): void {
    this.isPaused = this.isWanted;
    if (!this.isWanted) return;
    this.isWanted = false;
    this.timers.after(this.everyMs, () => this.passOn());
    this.pass();
  }
}
