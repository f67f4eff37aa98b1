import type { MonotonicClock } from '#libs/kernel';

/** Something that this process is connected to. Both ask, and throw when there is no answer in time. */
export interface Connected {
  readonly name: string;
  /** On the connections that are in use. */
  check(): Promise<void>;
  /** On one that is made now. */
  checkAfresh(): Promise<void>;
}

/**
 * Notices connections that are of no more use although new ones would be, for longer than `patienceMs`: then a restart
 * helps, and whoever supervises the process has to know. While new ones fail as well, the server is away; no restart
 * helps that.
 */
export class ConnectionWatch {
  private failingSince: number | null = null;
  private wouldRestartHelp = false;
  private isLooking = false;

  constructor(
    private readonly connected: Connected,
    private readonly patienceMs: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** Looks once; to be repeated several times within the patience. */
  async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      if (await answers(() => this.connected.check())) {
        this.failingSince = null;
        this.wouldRestartHelp = false;
        return;
      }
      this.failingSince ??= this.clock.monotonic();
      const isLasting = this.clock.monotonic() - this.failingSince >= this.patienceMs;
      this.wouldRestartHelp = isLasting && (await answers(() => this.connected.checkAfresh()));
    } finally {
      this.isLooking = false;
    }
  }

  get isStuck(): boolean {
    return this.wouldRestartHelp;
  }
}

async function answers(check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
