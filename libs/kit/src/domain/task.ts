import type { z } from 'zod';
import type { Database } from './database.js';
import type { DomainSecrets } from './secrets.js';

/** One try of a task. */
export interface TaskTry {
  readonly id: string;
  readonly tenantId: string;
  /** Number of the try, from 1. */
  readonly tryNumber: number;
  /** Aborted once the time limit of the try has passed. */
  readonly signal: AbortSignal;
}

/** Result of a try. `trouble` is logged. */
export type TaskOutcome<Result, Fault> =
  | { readonly kind: 'done'; readonly result: Result }
  /** Another try may succeed, after `afterMs` milliseconds or the pace, the longer of both. */
  | { readonly kind: 'again'; readonly fault: Fault; readonly afterMs?: number; readonly trouble?: unknown }
  /** No other try can succeed. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly trouble?: unknown };

/** Record of a try; `fault` is null if the task threw, or its process died during the last try. */
export type TaskRecord<Result, Fault> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'put_off'; readonly fault: Fault | null }
  | { readonly kind: 'given_up'; readonly fault: Fault | null };

export interface TaskDependencies {
  readonly database: Database;
  readonly secrets: Pick<DomainSecrets, 'read'>;
  /** Makes a `fetch` as of a tool's context. */
  readonly fetchFor: (tenantId: string) => typeof fetch;
}

/**
 * Work outside of the database. It is a row that is tried until it is done, or given up after eight tries; a try may run
 * twice, so name the task to the other side by its id.
 */
export interface Task<Data = unknown, Result = unknown, Fault = unknown> {
  /** Unique, e.g. `parcels/seal`. */
  readonly name: string;
  readonly data: z.ZodType<Data>;
  /** Time limit of one try in milliseconds, at most 30 000. */
  readonly timeoutMs: number;
  /** Delays between tries; default from 5 s to 1 hour. */
  readonly pace?: { readonly firstDelayMs: number; readonly longestDelayMs: number };
  /** Makes one try, outside of any transaction. A thrown error is logged and counts as `again`. */
  perform(data: Data, attempt: TaskTry, dependencies: TaskDependencies): Promise<TaskOutcome<Result, Fault>>;
  /** Records a try in the transaction that ends or reschedules the task. */
  record(
    database: Database,
    data: Data,
    record: TaskRecord<Result, Fault>,
    attempt: Omit<TaskTry, 'signal'>,
  ): Promise<void>;
}

/** Defines a task of a domain. */
export function defineTask<Data, Result, Fault>(task: Task<Data, Result, Fault>): Task {
  return task;
}

export interface TaskOrders {
  /**
   * Orders a task in the transaction of `database`, together with the domain's own writes.
   * @param order.id random UUID, which the domain's rows refer to
   */
  order(
    database: Database,
    order: { readonly id: string; readonly task: string; readonly tenantId: string; readonly data: object },
  ): Promise<void>;
  /** Makes tasks that wait for a retry due at once. */
  hasten(database: Database, tasks: { readonly task: string; readonly tenantId: string }): Promise<void>;
}
