import { AppError, type Timers } from '#libs/kernel';
import type { AgentRunner, PreparedByRunner, RunToPrepare } from '../runners/agent-runner.js';
import type { ExecutionPlan } from './execution-plan.js';
import { withinTime } from './within-time.js';

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
  const time = { claim: run.claim, stop, timers, longestMs: LONGEST_PREPARATION_MS, tooLate: takesTooLong };
  const added = await withinTime((signal) => runner.prepare(run, signal), time);
  if (added === null) return null;
  return Object.keys(added).length === 0 ? plan : planWith(added);
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
