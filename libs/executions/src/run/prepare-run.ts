import { AppError, type Timers } from '#libs/kernel';
import type { AgentRunner, RunToPrepare } from '../runners/agent-runner.js';
import type { ExecutionPlan } from './execution-plan.js';
import { withinTime } from './within-time.js';

/** The longest that a runner may take, in milliseconds. */
const LONGEST_PREPARATION_MS = 60_000;

/**
 * The plan with what its runner adds, where nobody has prepared the run before. Null where `stop` says that the execution is
 * cancelled or late: that wins over whatever became of the runner, which is left behind. Throws `RETRIEVAL_FAILED`, which is
 * `retryable`, where it takes too long, and what it throws otherwise.
 */
export async function prepareRun(
  runner: AgentRunner,
  run: RunToPrepare,
  plan: ExecutionPlan,
  stop: AbortSignal,
  timers: Timers,
): Promise<ExecutionPlan | null> {
  const { preparation } = plan.context;
  if (run.usable.preparation !== null || preparation === null) return plan;
  const time = { claim: run.claim, stop, timers, longestMs: LONGEST_PREPARATION_MS, tooLate: takesTooLong };
  const added = await withinTime((signal) => runner.prepare(run, signal), time);
  if (added === null) return null;
  return { ...plan, context: { ...plan.context, preparation: { ...preparation, ...added } } };
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
