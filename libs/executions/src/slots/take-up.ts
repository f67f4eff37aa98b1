import type { Timers } from '#libs/kernel';
import type { Places } from './places.js';

/** For so long what a job names waits for a place here, before it is left to whoever has one. */
const LONGEST_WAIT_MS = 100;

export interface TakeUpDependencies {
  readonly places: Places;
  readonly timers: Timers;
  /** Claims and runs one execution: `onClaimed` is called when it is claimed, or found not to be runnable. */
  readonly run: (executionId: string, onClaimed: () => void) => Promise<void>;
  /** Lets what was claimed send what it can send at once, before the job takes time to be finished: `setImmediate`. */
  readonly defer: (goOn: () => void) => void;
  /** An execution that was claimed broke off because of its surroundings. It has been released. */
  readonly onBrokeOff: (error: unknown, executionId: string) => void;
  /** Aborted when nothing more is to begin. */
  readonly drain: AbortSignal;
}

/**
 * Takes up what jobs name, each execution in a place of its own: never more at once than there are places. A job is over
 * when everything that it names is claimed; the attempts go on beside it.
 */
export class TakeUp {
  private readonly attempts = new Set<Promise<unknown>>();

  constructor(private readonly deps: TakeUpDependencies) {}

  /**
   * Resolves when all are claimed, or found not to be runnable. Answers those for which there was no place in time.
   * Throws what the first claim that failed did; all of them may be taken up again then, since what is claimed is not
   * claimed twice.
   */
  async takeUp(executionIds: readonly string[]): Promise<readonly string[]> {
    const { places, defer } = this.deps;
    const left = [...executionIds];
    const claims: Promise<unknown>[] = [];
    const patience = this.openPatience();
    while (left.length > 0 && !patience.signal.aborted) {
      for (const executionId of left.splice(0, places.free)) claims.push(this.begin(executionId));
      if (left.length > 0) await places.untilFree(patience.signal);
    }
    patience.end();
    await Promise.all(claims);
    await new Promise<void>(defer);
    return left;
  }

  /** Resolves when a place is free, or nothing more is to begin. */
  untilFree(): Promise<void> {
    return this.deps.places.untilFree(this.deps.drain);
  }

  /** Resolves when nothing runs any more. */
  async ended(): Promise<void> {
    while (this.attempts.size > 0) await Promise.all(this.attempts);
  }

  /** Resolves when it is claimed, or not runnable; rejects when nobody can say. */
  private begin(executionId: string): Promise<undefined> {
    const { places, run, onBrokeOff } = this.deps;
    const claimed = Promise.withResolvers<undefined>();
    // Whoever awaits it may still wait for places.
    claimed.promise.catch(() => undefined);
    let isClaimed = false;
    const leave = places.take();
    const attempt = run(executionId, () => {
      isClaimed = true;
      claimed.resolve(undefined);
    })
      .then(() => claimed.resolve(undefined))
      .catch((error: unknown) => {
        if (isClaimed) onBrokeOff(error, executionId);
        else claimed.reject(error);
      })
      .finally(() => {
        leave();
        this.attempts.delete(attempt);
      });
    this.attempts.add(attempt);
    return claimed.promise;
  }

  /** Ends after a while, or when nothing more is to begin. */
  private openPatience(): { readonly signal: AbortSignal; readonly end: () => void } {
    const { drain, timers } = this.deps;
    const patience = new AbortController();
    const giveUp = (): void => patience.abort();
    const stopTimer = timers.after(LONGEST_WAIT_MS, giveUp);
    if (drain.aborted) giveUp();
    drain.addEventListener('abort', giveUp, { once: true });
    const end = (): void => {
      stopTimer();
      drain.removeEventListener('abort', giveUp);
    };
    return { signal: patience.signal, end };
  }
}
