import type { ExecutionEvent, ExecutionResult, NumberedEvent } from '#libs/payloads';

/** The events that directly follow the last one that was read, one or more; null: read and see whether there are any. */
export type AppendNews = readonly NumberedEvent[] | null;

/** Wakes whoever waits for appends to one execution's stream. Begins to watch when it is made. */
export interface AppendWatch {
  /**
   * Resolves when there was an append since the watch was made or since the last `wait` resolved, or after `timeoutMs`,
   * or when `signal` aborts; never rejects. Says what was appended where nothing is missing between `afterId`, the last
   * event that the caller has read, and that. A wake-up may come for nothing. One that is lost delays this by about a
   * second: then the stream is found to hold events after `afterId`.
   */
  wait(afterId: number, timeoutMs: number, signal: AbortSignal): Promise<AppendNews>;
  /** As an append does. */
  wake(): void;
  close(): void;
}

/** What became known of how an execution stands. */
export type SettlementNews =
  | { readonly kind: 'settled'; readonly result: ExecutionResult }
  /** It may have settled, or may wait for a person: read it and see. */
  | { readonly kind: 'look' }
  /** The time is over, or the signal has aborted. */
  | { readonly kind: 'silence' };

/** Wakes whoever waits for an execution to settle, or to need a person. Begins to watch when it is made. */
export interface SettlementWatch {
  /**
   * Resolves with what came since the watch was made or since the last `wait` resolved; never rejects. What else is
   * appended wakes nobody here. A wake-up may be lost: look now and then.
   */
  wait(timeoutMs: number, signal: AbortSignal): Promise<SettlementNews>;
  /** Has a wait end with `look`, the one that is under way or the next. */
  wake(): void;
  close(): void;
}

/**
 * The live events of executions, numbered by their only writer (the holder of the lease). The stream is a convenience
 * that may be lost; what it holds can always be had from the execution itself.
 */
export abstract class EventStream {
  /**
   * Appends `events` as `firstId`, `firstId + 1`, … all or none. Throws `EventStreamConflictError` when one of these
   * numbers, or a higher one, is taken: somebody else writes, so the caller has lost its lease.
   */
  abstract append(executionId: string, firstId: number, events: readonly ExecutionEvent[]): Promise<void>;

  /** The highest number in the stream, 0 when there is none. */
  abstract lastId(executionId: string): Promise<number>;

  /** The events after `afterId`, at most `limit`, in order, without waiting. */
  abstract readAfter(executionId: string, afterId: number, limit: number): Promise<readonly NumberedEvent[]>;

  abstract watch(executionId: string): AppendWatch;

  abstract watchSettlement(executionId: string): SettlementWatch;

  /** Drops one stream, as if there had never been any; whoever follows it sees silence. */
  abstract delete(executionId: string): Promise<void>;

  /**
   * Drops streams that nobody will ask for any more: those without an append for `olderThanMs`. Answers how many events
   * went.
   */
  abstract expire(olderThanMs: number): Promise<number>;
}
