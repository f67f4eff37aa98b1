import type { Timers } from '#libs/kernel';

/** Source of due work that was not sent yet. `take` marks it as sent; `requeue` reverts that after a failed send. */
export interface DueSource<Due> {
  take(): Promise<readonly Due[]>;
  requeue(due: readonly Due[]): Promise<void>;
}

/**
 * Sends jobs for due work. Any number of dispatchers may run in any process: a lost job is sent again, and a duplicate
 * job fails to claim. Triggered when work may have become due, and periodically by the housekeeping role.
 */
export class Dispatcher<Due> {
  private isRunning = false;
  private isTriggered = false;

  constructor(
    private readonly source: DueSource<Due>,
    private readonly send: (due: readonly Due[]) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Returns at once; triggers during a dispatch are merged into one more dispatch. Failures go to `onError`. */
  trigger(): void {
    this.isTriggered = true;
    if (!this.isRunning) void this.dispatchUntilCalm();
  }

  /** Runs one selection and sends its jobs; returns the number of selected items. */
  async dispatch(): Promise<number> {
    const due = await this.source.take();
    if (due.length === 0) return 0;
    try {
      await this.send(due);
    } catch (error) {
      await this.source.requeue(due);
      throw error;
    }
    return due.length;
  }

  private async dispatchUntilCalm(): Promise<void> {
    this.isRunning = true;
    try {
      while (this.isTriggered) {
        this.isTriggered = false;
        await this.dispatch();
      }
    } catch (error) {
      this.onError(error);
    } finally {
      this.isRunning = false;
    }
  }
}

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
