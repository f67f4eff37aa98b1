import { OneAtATime, type MonotonicClock } from '#libs/kernel';

/** A dependency with a connection. Both checks throw without a timely answer. */
export interface Connected {
  readonly name: string;
  /** Checks the connections in use. */
  check(): Promise<void>;
  /** Checks a new connection. */
  checkAfresh(): Promise<void>;
}

/**
 * Detects connections that fail for longer than `graceMs` while new ones work: a restart then helps, and the
 * supervisor must know. If new ones fail too, the server is down and a restart does not help.
 */
export class ConnectionWatch {
  private failingSince: number | null = null;
  private wouldRestartHelp = false;
  private readonly looks = new OneAtATime();

  constructor(
    private readonly connected: Connected,
    private readonly graceMs: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** Checks once; call it several times within `graceMs`. */
  look(): Promise<void> {
    return this.looks.orSkip(async () => {
      if (await answers(() => this.connected.check())) {
        this.failingSince = null;
        this.wouldRestartHelp = false;
        return;
      }
      this.failingSince ??= this.clock.monotonic();
      const isLasting = this.clock.monotonic() - this.failingSince >= this.graceMs;
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

/** Dependencies of this process, and whether they answer. */
export class WorkerHealth {
  private timer: NodeJS.Timeout | undefined;

  /** @param watches one per member of `connected` that a restart may help, and further ones */
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

  /** Throws if a dependency does not answer on the connections in use. */
  async checkReady(): Promise<void> {
    await Promise.all(this.connected.map((connected) => connected.check()));
  }
}

/** Validity of a failure in milliseconds; an older one proves nothing, since perhaps no job was sent after it. */
const RECENT_MS = 15_000;

/** Records whether sending jobs works. */
export class SendWatch {
  private lastFailureAt: number | null = null;

  constructor(private readonly clock: MonotonicClock) {}

  /** Awaits a send and records its result. */
  async over(sending: Promise<void>): Promise<void> {
    try {
      await sending;
      this.lastFailureAt = null;
    } catch (error) {
      this.lastFailureAt = this.clock.monotonic();
      throw error;
    }
  }

  /** Throws if the latest send has failed recently. */
  check(): Promise<void> {
    const { lastFailureAt } = this;
    const isFailing = lastFailureAt !== null && this.clock.monotonic() - lastFailureAt < RECENT_MS;
    return isFailing ? Promise.reject(new Error('jobs cannot be sent')) : Promise.resolve();
  }
}
