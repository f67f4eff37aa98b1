import type { z } from 'zod';
import type { TaskDependencies } from './domain-dependencies.js';

/** One try of a task. */
export interface TaskTry {
  readonly id: string;
  readonly tenantId: string;
  /** From 1. A try whose process died counts, and nothing is known of what it did. */
  readonly tryNumber: number;
  /** Aborts when the time of the try is up. */
  readonly signal: AbortSignal;
}

/** What a try has come to. */
export type TaskOutcome<Result, Fault> =
  | { readonly kind: 'done'; readonly result: Result }
  /** Another try may do better, in `afterMs` milliseconds at the earliest. `trouble` is logged. */
  | { readonly kind: 'again'; readonly fault: Fault; readonly afterMs?: number; readonly trouble?: unknown }
  /** No other try would do better. */
  | { readonly kind: 'failed'; readonly fault: Fault; readonly trouble?: unknown };

/** What is recorded of a try; `fault` is null where the task threw, or its process died over the last try. */
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
 * Work outside of the database, such as a request to another service. It is a row until it is done or given up after eight
 * tries: a try that must not have its effect twice names the task to the other side (an `Idempotency-Key`). Made by
 * {@link defineTask}.
 */
export interface BackgroundTask<Manager = unknown, Data = unknown, Result = unknown, Fault = unknown> {
  readonly kind: string;
  readonly data: z.ZodType<Data>;
  /** Of one try; at most 30 000. */
  readonly timeoutMs: number;
  /** By default from 5 s to an hour: two and a half hours from the first try to the last. */
  readonly pace?: TaskPace;
  /** One try, outside of any transaction. What it throws is logged, and it is tried again. */
  perform(
    data: Data,
    attempt: TaskTry,
    dependencies: TaskDependencies<Manager>,
  ): Promise<TaskOutcome<Result, Fault>>;
  /**
   * Writes what came of a try, in the transaction that ends it or puts it off: of each try at most one is recorded, and of
   * the task one that is final.
   */
  record(
    manager: Manager,
    data: Data,
    record: TaskRecord<Result, Fault>,
    attempt: Omit<TaskTry, 'signal'>,
  ): Promise<void>;
}

/** The longest that one try may take. */
export const LONGEST_TRY_MS = 30_000;

/** Keeps the types of a task while it is written, and forgets them so that all fit one list. */
export function defineTask<Manager, Data, Result, Fault>(
  task: BackgroundTask<Manager, Data, Result, Fault>,
): BackgroundTask<Manager> {
  return task;
}
