import { OneAtATime, type MonotonicClock } from '#libs/kernel';

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
  private readonly looks = new OneAtATime();

  constructor(
    private readonly connected: Connected,
    private readonly patienceMs: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** Looks once; to be repeated several times within the patience. */
  look(): Promise<void> {
    return this.looks.orSkip(async () => {
      if (await answers(() => this.connected.check())) {
        this.failingSince = null;
        this.wouldRestartHelp = false;
        return;
      }
      this.failingSince ??= this.clock.monotonic();
      const isLasting = this.clock.monotonic() - this.failingSince >= this.patienceMs;
      this.wouldRestartHelp = isLasting && (await answers(() => this.connected.checkAfresh()));
    });
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

/** What this process is connected to, and whether it answers. */
export class WorkerHealth {
  private timer: NodeJS.Timeout | undefined;

  /** @param watches one for each of `connected` that a restart may help, and for what else may be of no more use */
  constructor(
    private readonly connected: readonly Pick<Connected, 'check'>[],
    private readonly watches: readonly ConnectionWatch[],
    private readonly lookEveryMs: number,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      for (const watch of this.watches) void watch.look();
    }, this.lookEveryMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** False when a restart would help. */
  get isLive(): boolean {
    return this.watches.every((watch) => !watch.isStuck);
  }

  /** Throws when anything does not answer on the connections that are in use. */
  async checkReady(): Promise<void> {
    await Promise.all(this.connected.map((connected) => connected.check()));
  }
}

/** A failure longer ago says nothing of now: perhaps nothing had to be sent since. */
const RECENT_MS = 15_000;

/** Remembers whether jobs can be sent, as those who send them see it. */
export class SendWatch {
  private lastFailureAt: number | null = null;

  constructor(private readonly clock: MonotonicClock) {}

  /** Waits for it, and remembers how it ended. */
  async over(sending: Promise<void>): Promise<void> {
    try {
      await sending;
      this.lastFailureAt = null;
    } catch (error) {
      this.lastFailureAt = this.clock.monotonic();
      throw error;
    }
  }

  /** Throws when the last jobs, a moment ago, could not be sent. */
  check(): Promise<void> {
    const { lastFailureAt } = this;
    const isFailing = lastFailureAt !== null && this.clock.monotonic() - lastFailureAt < RECENT_MS;
    return isFailing ? Promise.reject(new Error('jobs cannot be sent')) : Promise.resolve();
  }
}
