import type { Task, TaskOutcome, TaskRecord, TaskTry } from '#libs/kit';
import type { TaskDependencies } from './domain-dependencies.js';

/**
 * Work outside of the database, such as a request to another service. Stored as a row until it is done or given up
 * after eight tries. If its effect may happen only once, the task sends its id to the other service
 * (`Idempotency-Key`). Created by {@link defineTask}.
 */
export interface BackgroundTask<
  Manager = unknown,
  Data = unknown,
  Result = unknown,
  Fault = unknown,
> extends Pick<Task<Data, Result, Fault>, 'data' | 'timeoutMs' | 'pace'> {
  readonly kind: string;
  /** Makes one try, outside of any transaction. A thrown error is logged and counts as `again`. */
  perform(
    data: Data,
    attempt: TaskTry,
    dependencies: TaskDependencies<Manager>,
  ): Promise<TaskOutcome<Result, Fault>>;
  /**
   * Records a try in the transaction that ends or reschedules the task: at most one record per try, and exactly one
   * final record per task.
   */
  record(
    manager: Manager,
    data: Data,
    record: TaskRecord<Result, Fault>,
    attempt: Omit<TaskTry, 'signal'>,
  ): Promise<void>;
}

/** Maximum time limit of one try, in milliseconds. */
export const MAX_TRY_MS = 30_000;

/** Checks the types of a task, and erases them so that tasks of all types fit one list. */
export function defineTask<Manager, Data, Result, Fault>(
  task: BackgroundTask<Manager, Data, Result, Fault>,
): BackgroundTask<Manager> {
  return task;
}
