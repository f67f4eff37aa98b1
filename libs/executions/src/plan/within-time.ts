import { LeaseLostError, mayStillWrite } from '#libs/agent-core';
import { unlessAborted } from '#libs/concurrency';
import type { AppError, Timers } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';

export interface TimeToPrepare {
  readonly claim: Pick<Claim, 'executionId' | 'epoch'>;
  /** Says that the execution is cancelled or late, or that somebody else has it. */
  readonly stop: AbortSignal;
  readonly timers: Timers;
  readonly longestMs: number;
  /** What it is when `longestMs` are over. */
  readonly tooLate: (cause: unknown) => AppError;
}

/**
 * What `work` comes to, before a run begins. Null where `stop` says that the execution is cancelled or late: that wins over
 * whatever became of the work, which is left behind. Throws `tooLate`, and what the work throws otherwise.
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
