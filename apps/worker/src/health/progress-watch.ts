import type { AppConfig } from '#libs/config';
import { OneAtATime, type MonotonicClock } from '#libs/kernel';

/** Time without progress before a worker counts as stuck: 45 s by default, in which work was dispatched twice. */
export function stuckAfter({ dispatch }: Pick<AppConfig, 'dispatch'>): number {
  return 1.5 * dispatch.redispatchAfterMs;
}

/**
 * Minimum time that work must be due: 5 s by default, because younger work may be on its way. Both together stay within a
 * minute.
 */
export function overdueAfter({ dispatch }: Pick<AppConfig, 'dispatch'>): number {
  return dispatch.redispatchAfterMs / 6;
}

/**
 * Detects a stuck worker: work is due and slots are free, but it takes no job for longer than `graceMs`. Such a
 * process looks healthy from outside; only a restart helps, so its supervisor must know.
 */
export class ProgressWatch {
  private running = 0;
  private takenSinceCheck = 0;
  private idleSince: number | null = null;
  private readonly checks = new OneAtATime();

  constructor(
    private readonly isWorkDue: () => Promise<boolean>,
    private readonly concurrency: number,
    private readonly graceMs: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** Records that a job was taken; the returned function records its end. */
  begin(): () => void {
    this.running += 1;
    this.takenSinceCheck += 1;
    return () => {
      this.running -= 1;
    };
  }

  /** Checks once; call it several times within `graceMs`. A database error counts as no evidence. */
  check(): Promise<void> {
    return this.checks.orSkip(async () => {
      const isBusy = this.takenSinceCheck > 0 || this.running >= this.concurrency;
      this.takenSinceCheck = 0;
      const isIdle = !isBusy && (await this.isWorkDue().catch(() => false));
      if (isIdle && this.takenSinceCheck === 0) this.idleSince ??= this.clock.monotonic();
      else this.idleSince = null;
    });
  }

  get isStuck(): boolean {
    return this.idleSince !== null && this.clock.monotonic() - this.idleSince > this.graceMs;
  }
}
