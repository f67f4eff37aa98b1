import type { AppendWatches } from './append-watches.js';
import type { FailureLog } from './event-stream-log.js';

export interface MissedAppendsOptions {
  readonly watches: AppendWatches;
  /** Returns those of the given executions that have events after the given last number. One query to the store. */
  readonly findGrown: (lastIds: readonly (readonly [string, number])[]) => Promise<readonly string[]>;
  /** Maximum milliseconds that a lost wake-up may delay an event. */
  readonly everyMs: number;
  readonly logFailure: FailureLog;
}

/** Maximum streams per query. */
const AT_A_TIME = 1_000;

/**
 * Polls for appends with a lost wake-up, once for all waiting subscribers: polling per subscriber would cost more the
 * more of them are idle. Without waiting subscribers it runs no query.
 */
export class MissedAppends {
  private readonly timer: NodeJS.Timeout;
  private isLooking = false;

  constructor(private readonly options: MissedAppendsOptions) {
    this.timer = setInterval(() => void this.look(), options.everyMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const { watches, findGrown, logFailure } = this.options;
    try {
      const lastIds = [...watches.lastRead()];
      for (let from = 0; from < lastIds.length; from += AT_A_TIME) {
        const grown = await findGrown(lastIds.slice(from, from + AT_A_TIME));
        for (const executionId of grown) watches.wake(executionId, null);
      }
    } catch (error) {
      logFailure('event stream: did not look for missed events', error);
    } finally {
      this.isLooking = false;
    }
  }
}
