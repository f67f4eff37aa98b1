import { AppError, type Timers } from '#libs/kernel';
import type { AgentRunner, PreparedByRunner, RunToPrepare } from '../runners/agent-runner.js';
import { withinTime } from './within-time.js';

/** The longest that a runner may take, in milliseconds. */
const LONGEST_PREPARATION_MS = 60_000;

/**
 * The preparation that its runner adds to a run; nothing where an earlier attempt has prepared it. Null where `stop` says
 * that the execution is cancelled or late: that wins over what became of the runner, which is left behind. Throws
 * `RETRIEVAL_FAILED`, which is `retryable`, where it takes too long, and what it throws otherwise.
 */
export async function prepareRun(
  runner: AgentRunner,
  run: RunToPrepare,
  stop: AbortSignal,
  timers: Timers,
): Promise<PreparedByRunner | null> {
  if (run.usable.preparation !== null) return {};
  const time = { claim: run.claim, stop, timers, longestMs: LONGEST_PREPARATION_MS, tooLate: takesTooLong };
  return withinTime((signal) => runner.prepare(run, signal), time);
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
