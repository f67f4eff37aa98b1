import type { z } from 'zod';
import type { TaskDependencies } from './domain-dependencies.js';

/** One try of a task. */
export interface TaskTry {
  readonly id: string;
  readonly tenantId: string;
  /** Number of this try, from 1. A try counts even if its process died, with an unknown effect. */
  readonly tryNumber: number;
  /** Aborted once the time limit of the try has passed. */
  readonly signal: AbortSignal;
}

/** Result of a try. */
export type TaskOutcome<Result, Fault> =
  | { readonly kind: 'done'; readonly result: Result }
  /** Another try may succeed, after `afterMs` milliseconds or the pace, the longer of both. `trouble` is logged. */
  | { readonly kind: 'again'; readonly fault: Fault; readonly afterMs?: number; readonly trouble?: unknown }
  /** No other try can succeed. `trouble` is logged. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly trouble?: unknown };

/** Record of a try; `fault` is null if the task threw, or its process died during the last try. */
export type TaskRecord<Result, Fault> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'put_off'; readonly fault: Fault | null }
  | { readonly kind: 'given_up'; readonly fault: Fault | null };

/** Delays between the tries of a task: each is four times the one before, up to the longest. */
export interface TaskPace {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

/**
 * Work outside of the database, such as a request to another service. Stored as a row until it is done or given up
 * after eight tries. If its effect may happen only once, the task sends its id to the other service
 * (`Idempotency-Key`). Created by {@link defineTask}.
 */
export interface BackgroundTask<Manager = unknown, Data = unknown, Result = unknown, Fault = unknown> {
  readonly kind: string;
  readonly data: z.ZodType<Data>;
  /** Time limit of one try in milliseconds, at most 30 000. */
  readonly timeoutMs: number;
  /** Default: delays from 5 s to 1 hour, which add up to about 2.5 hours between the first and the last try. */
  readonly pace?: TaskPace;
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
