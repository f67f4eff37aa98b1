import type { Timers } from '#libs/kernel';
import type { RunListener } from '../attempt/run-execution.js';
import type { ExecutionSlots } from './execution-slots.js';

/** An execution that is to run here. */
export interface AskedRun {
  readonly executionId: string;
  /** Token of the claim, if the API has made it for this worker. */
  readonly token?: string;
}

/** Maximum wait of a job's executions for a free slot, in milliseconds; then they are left to other workers. */
const MAX_WAIT_MS = 100;

export interface JobIntakeDependencies {
  readonly places: ExecutionSlots;
  readonly timers: Timers;
  /** Claims and runs one execution. */
  readonly run: (asked: AskedRun, listener: Required<RunListener>) => Promise<void>;
  /** Defers the end of the job, so that claimed executions send their first requests before it; `setImmediate`. */
  readonly defer: (goOn: () => void) => void;
  /** Called when a claimed execution was released after a failure of its environment. */
  readonly onBrokeOff: (error: unknown, executionId: string) => void;
  /** Aborted when no further work may begin. */
  readonly drain: AbortSignal;
}

/**
 * Runs the executions named by jobs or assigned to this worker, each in its own slot. A job ends once all of its
 * executions are claimed; the attempts continue in the background.
 */
export class JobIntake {
  private readonly attempts = new Set<Promise<unknown>>();

  constructor(private readonly deps: JobIntakeDependencies) {}

  /**
   * Resolves once all are claimed or not runnable; returns those that got no slot in time. Throws the error of the first
   * failed claim; the whole job may then be retried, since claimed executions are not claimed twice.
   */
  async start<Run extends AskedRun>(asked: readonly Run[]): Promise<readonly Run[]> {
    const { places, defer } = this.deps;
    const left = [...asked];
    const claims: Promise<unknown>[] = [];
    const wait = this.openWait();
    while (left.length > 0 && !wait.signal.aborted) {
      for (const next of left.splice(0, places.free)) claims.push(this.begin(next));
      if (left.length > 0) await places.untilFree(wait.signal);
    }
    wait.end();
    await Promise.all(claims);
    await new Promise<void>(defer);
    return left;
  }

  /** Resolves once a slot is free, or no further work may begin. */
  untilFree(): Promise<void> {
    return this.deps.places.untilFree(this.deps.drain);
  }

  /** Resolves once no attempt runs. */
  async ended(): Promise<void> {
    while (this.attempts.size > 0) await Promise.all(this.attempts);
  }

  /** Resolves once the execution is claimed or not runnable; rejects if the claim failed. */
  private begin(asked: AskedRun): Promise<undefined> {
    const { places, run, onBrokeOff } = this.deps;
    const claimed = Promise.withResolvers<undefined>();
    // Prevents an unhandled rejection while the caller still waits for slots.
    claimed.promise.catch(() => undefined);
    let isClaimed = false;
    const leave = places.take();
    const onClaimed = (): void => {
      isClaimed = true;
      claimed.resolve(undefined);
    };
    // The slot is free for the next execution while the last event is sent.
    const attempt = run(asked, { onClaimed, onStored: leave })
      .then(() => claimed.resolve(undefined))
      .catch((error: unknown) => {
        if (isClaimed) onBrokeOff(error, asked.executionId);
        else claimed.reject(error);
      })
      .finally(() => {
        leave();
        this.attempts.delete(attempt);
      });
    this.attempts.add(attempt);
    return claimed.promise;
  }

  /** Signal that aborts after the maximum wait, or when no further work may begin. */
  private openWait(): { readonly signal: AbortSignal; readonly end: () => void } {
    const { drain, timers } = this.deps;
    const wait = new AbortController();
    const giveUp = (): void => wait.abort();
    const stopTimer = timers.after(MAX_WAIT_MS, giveUp);
    if (drain.aborted) giveUp();
    drain.addEventListener('abort', giveUp, { once: true });
    const end = (): void => {
      stopTimer();
      drain.removeEventListener('abort', giveUp);
    };
    return { signal: wait.signal, end };
  }
}
