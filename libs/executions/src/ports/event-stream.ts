import type { ExecutionEvent, ExecutionResult, NumberedEvent } from '#libs/payloads';
import { AppError } from '#libs/kernel';

export class EventStreamConflictError extends AppError {
  constructor(executionId: string, firstId: number) {
    super({
      code: 'EVENT_NUMBER_TAKEN',
      kind: 'lease_lost',
      message: 'another worker writes the events of this execution',
      details: { executionId, firstId },
    });
  }
}

/** One or more events that directly follow the last one read; null if the stream must be read. */
export type AppendNews = readonly NumberedEvent[] | null;

/** Notifies one follower of appends to an execution's stream, from its creation on. */
export interface AppendWatch {
  /**
   * Resolves after an append since the watch was created or since the last `wait`, after `timeoutMs`, or on abort; never
   * rejects. Returns the appended events if they directly follow `afterId`. Wake-ups may be spurious; a lost one costs
   * about a second, until a read finds the events after `afterId`.
   */
  wait(afterId: number, timeoutMs: number, signal: AbortSignal): Promise<AppendNews>;
  /** Wakes the follower without an append. */
  wake(): void;
  close(): void;
}

/** News about an execution's status. */
export type SettlementNews =
  | { readonly kind: 'settled'; readonly result: ExecutionResult }
  /** The execution may have settled or may wait for a person; read its row. */
  | { readonly kind: 'look' }
  /** Timeout or abort. */
  | { readonly kind: 'silence' };

/** Notifies one waiter when an execution settles or needs a person, from its creation on. */
export interface SettlementWatch {
  /**
   * Resolves with news since the watch was created or since the last `wait`; never rejects. Other events do not wake it.
   * A wake-up may be lost, so callers must also read periodically.
   */
  wait(timeoutMs: number, signal: AbortSignal): Promise<SettlementNews>;
  /** Ends the current or the next wait with `look`. */
  wake(): void;
  close(): void;
}

/** Whether an execution has followers in any process, for the writer of its events. */
export interface FollowerWatch {
  /** True also where this process does not hear of followers. */
  readonly hasFollowers: boolean;
  close(): void;
}

/**
 * Live events of executions, numbered by their single writer, the holder of the lease. The stream may be lost; all of its
 * content can be derived from the execution.
 */
export abstract class EventStream {
  /**
   * Appends `events` as `firstId`, `firstId + 1`, …, all or none. Throws `EventStreamConflictError` when one of these or
   * a higher number exists: another writer is active, so the caller has lost its lease.
   */
  abstract append(executionId: string, firstId: number, events: readonly ExecutionEvent[]): Promise<void>;

  /** Highest number in the stream; 0 when it is empty. */
  abstract lastId(executionId: string): Promise<number>;

  /** Returns up to `limit` events after `afterId`, in order, without waiting. */
  abstract readAfter(executionId: string, afterId: number, limit: number): Promise<readonly NumberedEvent[]>;

  /** A follower; the writer hears of it once it waits. */
  abstract watch(executionId: string): AppendWatch;

  /**
   * Hears of followers, also of those that came before. Calls `onArrival` when `hasFollowers` turns true. It stays true
   * for up to 90 s after the last follower has left.
   */
  abstract watchFollowers(executionId: string, onArrival: () => void): FollowerWatch;

  abstract watchSettlement(executionId: string): SettlementWatch;

  /** Deletes one stream; its followers see silence. */
  abstract delete(executionId: string): Promise<void>;

  /** Deletes streams without an append for `olderThanMs` milliseconds. Returns the number of deleted events. */
  abstract expire(olderThanMs: number): Promise<number>;
}
