import type { AppendWatches } from './append-watches.js';
import type { FailureLog } from './event-stream-log.js';

export interface MissedAppendsOptions {
  readonly watches: AppendWatches;
  /** Of the streams with these last events, by execution, those that have later ones. One question to the store. */
  readonly findGrown: (lastIds: readonly (readonly [string, number])[]) => Promise<readonly string[]>;
  /** How long a wake-up that was lost may delay an event. */
  readonly everyMs: number;
  readonly logFailure: FailureLog;
}

/** Streams that one question asks about. */
const AT_A_TIME = 1_000;

/**
 * Looks for appends whose wake-ups were lost, for everybody who waits at once: followers that each looked for themselves
 * would cost more the more of them are silent. Nothing is asked while nobody waits.
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
