import { LeaseLostError, mayStillWrite } from '#libs/agent-core';
import { AppError, type Timers } from '#libs/kernel';
import type { AgentRunner, PreparedByRunner, RunToPrepare } from '../runners/agent-runner.js';
import type { ExecutionPlan } from './execution-plan.js';

/** The longest that a runner may take, in milliseconds. */
const LONGEST_PREPARATION_MS = 60_000;

/**
 * The plan with what its runner adds, where nobody has prepared the run before: made anew, since that takes room. Null where
 * `stop` says that the execution is cancelled or late: that wins over whatever became of the runner, which is left behind.
 * Throws `RETRIEVAL_FAILED`, which is `retryable`, where it takes too long, and what it throws otherwise.
 */
export async function prepareRun(
  runner: AgentRunner,
  run: RunToPrepare,
  plan: ExecutionPlan,
  planWith: (added: PreparedByRunner) => ExecutionPlan,
  stop: AbortSignal,
  timers: Timers,
): Promise<ExecutionPlan | null> {
  if (run.usable.preparation !== null) return plan;
  const late = new AbortController();
  const cancel = timers.after(LONGEST_PREPARATION_MS, () => late.abort());
  const signal = AbortSignal.any([stop, late.signal]);
  try {
    const added = await Promise.race([runner.prepare(run, signal), rejectWhenAborted(signal)]);
    return Object.keys(added).length === 0 ? plan : planWith(added);
  } catch (error) {
    if (stop.aborted && mayStillWrite(stop)) return null;
    if (stop.aborted) throw new LeaseLostError(run.claim.executionId, run.claim.epoch);
    throw late.signal.aborted ? takesTooLong(error) : error;
  } finally {
    cancel();
  }
}

function takesTooLong(cause: unknown): AppError {
  return new AppError({
    code: 'RETRIEVAL_FAILED',
    kind: 'timeout',
    message: `nothing was found within ${LONGEST_PREPARATION_MS / 1_000} s`,
    retryable: true,
    cause,
  });
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(new Error('the preparation of a run was given up'));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
