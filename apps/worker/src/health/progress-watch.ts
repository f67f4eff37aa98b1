import type { AppConfig } from '#libs/config';
import { OneAtATime, type MonotonicClock } from '#libs/kernel';

/**
 * Work that was sent twice, and that nobody took in all that time, waits for a worker that takes nothing: 45 s by
 * default.
 */
export function patienceOf({ dispatch }: Pick<AppConfig, 'dispatch'>): number {
  return 1.5 * dispatch.redispatchAfterMs;
}

/** Work that is due for less may just be on its way: 5 s by default, so that all is known within a minute. */
export function overdueAfter({ dispatch }: Pick<AppConfig, 'dispatch'>): number {
  return dispatch.redispatchAfterMs / 6;
}

/**
 * Notices a worker that takes no work: work is due, it has places free, and yet it takes none for longer than `patienceMs`.
 * Such a process looks healthy from outside; only a restart helps, so its supervisor has to know.
 */
export class ProgressWatch {
  private running = 0;
  private takenSinceCheck = 0;
  private idleSince: number | null = null;
  private readonly checks = new OneAtATime();

  constructor(
    private readonly isWorkDue: () => Promise<boolean>,
    private readonly concurrency: number,
    private readonly patienceMs: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** A job was taken; the answer is called when it is over. */
  begin(): () => void {
    this.running += 1;
    this.takenSinceCheck += 1;
    return () => {
      this.running -= 1;
    };
  }

  /** Looks once; to be repeated several times within the patience. A database that does not answer proves nothing. */
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
    return this.idleSince !== null && this.clock.monotonic() - this.idleSince > this.patienceMs;
  }
}
