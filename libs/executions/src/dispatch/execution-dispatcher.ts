import { executeJob } from '#libs/payloads';
import type { DispatchedExecution, DispatchOptions, DispatchStore } from '../ports/dispatch-store.js';
import { groupForJobs } from './group-for-jobs.js';
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
