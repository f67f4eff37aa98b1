import { LeaseLostError, mayStillWrite } from '#libs/agent-core';
import { unlessAborted } from '#libs/concurrency';
import type { AppError, Timers } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';

export interface TimeToPrepare {
  readonly claim: Pick<Claim, 'executionId' | 'epoch'>;
  /** Aborts on cancellation, at the deadline, or when the lease is lost. */
  readonly stop: AbortSignal;
  readonly timers: Timers;
  readonly longestMs: number;
  /** Error thrown after `longestMs`. */
  readonly tooLate: (cause: unknown) => AppError;
}

/**
 * Runs `work` before the loop begins, with a time limit. Null when `stop` reports cancellation or the deadline, which
 * takes precedence over the result; a late result is ignored. Throws `tooLate` on timeout, and errors of the work.
 */
export async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { claim, stop, timers, longestMs, tooLate }: TimeToPrepare,
): Promise<T | null> {
  const late = new AbortController();
  const cancel = timers.after(longestMs, () => late.abort());
  const signal = AbortSignal.any([stop, late.signal]);
  try {
    return await unlessAborted(work(signal), signal, givenUp);
  } catch (error) {
    if (stop.aborted && mayStillWrite(stop)) return null;
    if (stop.aborted) throw new LeaseLostError(claim.executionId, claim.epoch);
    throw late.signal.aborted ? tooLate(error) : error;
  } finally {
    cancel();
  }
}

function givenUp(): Error {
  return new Error('the preparation of a run was given up');
}
