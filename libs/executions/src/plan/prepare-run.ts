import { AppError, type Timers } from '#libs/kernel';
import type { AgentRunner, PreparedByRunner, RunToPrepare } from '../runners/agent-runner.js';
import { withinTime } from './within-time.js';

/** Maximum time of a runner's preparation, in milliseconds. */
const MAX_PREPARATION_MS = 60_000;

/**
 * Runs the runner's preparation, unless an earlier attempt has pinned it. Null when `stop` reports cancellation or the
 * deadline, even if the runner failed. Throws the retryable `RETRIEVAL_FAILED` on timeout, and errors of the runner.
 */
export async function prepareRun(
  runner: AgentRunner,
  run: RunToPrepare,
  stop: AbortSignal,
  timers: Timers,
): Promise<PreparedByRunner | null> {
  if (run.usable.preparation !== null) return {};
  const time = { claim: run.claim, stop, timers, longestMs: MAX_PREPARATION_MS, tooLate: takesTooLong };
  return withinTime((signal) => runner.prepare(run, signal), time);
}

function takesTooLong(cause: unknown): AppError {
  return new AppError({
    code: 'RETRIEVAL_FAILED',
    kind: 'timeout',
    message: `nothing was found within ${MAX_PREPARATION_MS / 1_000} s`,
    retryable: true,
    cause,
  });
}
