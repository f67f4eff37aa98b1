import type { Timers } from '#libs/kernel';

/**
 * Debounces triggers: the first passes at once, later ones at most once per `everyMs`, so that many endings in a row
 * cause one look-up. No trigger is lost: an early one passes when the interval ends.
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
