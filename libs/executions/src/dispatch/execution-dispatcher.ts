import { executeJob, MAX_EXECUTIONS_OF_A_JOB } from '#libs/payloads';
import type { DispatchedExecution, DispatchOptions, DispatchStore } from '../ports/dispatch-store.js';
import { Dispatcher } from './dispatcher.js';

type ExecuteJob = ReturnType<typeof executeJob>;

export interface ExecutionDispatch {
  readonly store: DispatchStore;
  readonly options: DispatchOptions;
  /** Returns a unique name for each job. */
  readonly newJobId: () => string;
  readonly send: (jobs: readonly ExecuteJob[]) => Promise<void>;
  /** Reports a failed dispatch; the next dispatch repeats it. */
  readonly onError: (error: unknown) => void;
}

/** Sends jobs for executions that can run; triggered after each accepted one, so that it starts at once. */
export class ExecutionDispatcher extends Dispatcher<DispatchedExecution> {
  constructor({ store, options, newJobId, send, onError }: ExecutionDispatch) {
    super(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => send(groupForJobs(due).map((group) => executeJob(group, newJobId()))),
      onError,
    );
  }
}

/**
 * Minimum number of jobs for two or more executions, so that several workers share them. A job costs more than the claim
 * of an execution.
 */
const MIN_JOBS = 2;

/** Groups executions for jobs in due order; no group is empty. */
export function groupForJobs(due: readonly DispatchedExecution[]): readonly [string, ...string[]][] {
  const size = Math.min(MAX_EXECUTIONS_OF_A_JOB, Math.ceil(due.length / MIN_JOBS));
  const groups: [string, ...string[]][] = [];
  for (const [index, { executionId }] of due.entries()) {
    if (index % size === 0) groups.push([executionId]);
    else groups.at(-1)?.push(executionId);
  }
  return groups;
}
