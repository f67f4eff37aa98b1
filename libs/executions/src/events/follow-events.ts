import { AppError, type MonotonicClock } from '#libs/kernel';
import type { ExecutionEventName, NumberedEvent } from '#libs/payloads';
import type { EventStream } from '../ports/event-stream.js';

/** Sent when the execution was silent for a while, so that nobody between server and client drops the connection. */
interface Silence {
  readonly event: 'heartbeat';
  readonly data: Readonly<Record<string, never>>;
}

export type FollowedItem = NumberedEvent | Silence;

export interface FollowOptions {
  /** Ends the following at once. */
  readonly signal: AbortSignal;
  /** After which event nothing is read any more; `result` when omitted. */
  readonly until?: ExecutionEventName;
  /** How long a lost wake-up can delay an event. */
  readonly pollMs?: number;
  /** Events read at a time. */
  readonly batch?: number;
  /** Silence before a heartbeat. */
  readonly heartbeatMs?: number;
  /** How long reads may fail in a row before the error is thrown. */
  readonly patienceMs?: number;
  /**
   * Whether what the last event reports has happened. Asked when the stream is silent, because a stream that lost its
   * last event (it is not kept safe) would be followed for ever; then the following ends without one.
   */
  readonly isSettled?: () => Promise<boolean>;
  readonly clock: MonotonicClock;
}

const HEARTBEAT: Silence = { event: 'heartbeat', data: {} };

/**
 * The events after `afterId`, first those that are there, then new ones as they come: in order, none lost, none twice.
 * Reads only when the consumer pulls. Ends after `until` (S4-23), when the signal aborts, or as `isSettled` says.
 */
export async function* followEvents(
  stream: Pick<EventStream, 'readAfter' | 'watch'>,
  executionId: string,
  afterId: number,
  options: FollowOptions,
): AsyncGenerator<FollowedItem, void, undefined> {
  const { signal, until = 'result', pollMs = 1_000, batch = 200, heartbeatMs = 10_000, clock } = options;
  const isOver = (): boolean => signal.aborted;
  const read = patientReader(stream, executionId, options.patienceMs ?? 30_000, clock);
  // Registered before the first read: what is appended after that read wakes this watch.
  const watch = stream.watch(executionId);
  const ending = new LostResultDetector(options.isSettled);
  let lastId = afterId;
  let lastItemAt = clock.monotonic();
  try {
    while (!isOver()) {
      const answer = await read(lastId, batch);
      const events = answer ?? [];
      for (const event of events) {
        lastId = event.id;
        yield event;
        if (event.event === until || isOver()) return;
      }
      if (events.length > 0) lastItemAt = clock.monotonic();
      if (events.length === batch) continue;
      if (answer !== null && (await ending.isReached(events.length))) return;

      const heartbeatInMs = lastItemAt + heartbeatMs - clock.monotonic();
      await watch.wait(Math.max(0, Math.min(pollMs, heartbeatInMs)), signal);
      if (clock.monotonic() - lastItemAt < heartbeatMs || isOver()) continue;
      yield HEARTBEAT;
      lastItemAt = clock.monotonic();
      ending.askAgain();
    }
  } finally {
    watch.close();
  }
}

/** A store that restarts shows as silence (`null`), not as an error; only a lasting failure is thrown. */
function patientReader(
  stream: Pick<EventStream, 'readAfter'>,
  executionId: string,
  patienceMs: number,
  clock: MonotonicClock,
): (afterId: number, limit: number) => Promise<readonly NumberedEvent[] | null> {
  let failingSince: number | null = null;
  return async (afterId, limit) => {
    try {
      const events = await stream.readAfter(executionId, afterId, limit);
      failingSince = null;
      return events;
    } catch (error) {
      failingSince ??= clock.monotonic();
      const isPassing = error instanceof AppError && error.retryable;
      if (!isPassing || clock.monotonic() - failingSince >= patienceMs) throw error;
      return null;
    }
  };
}

/**
 * Asks at the first silence and after each heartbeat; believes it at the silence after, since `result` may be on its
 * way.
 */
class LostResultDetector {
  private isDue = true;
  private isSuspected = false;

  constructor(private readonly isSettled: (() => Promise<boolean>) | undefined) {}

  askAgain(): void {
    this.isDue = true;
  }

  async isReached(eventCount: number): Promise<boolean> {
    if (this.isSettled === undefined) return false;
    const wasSuspected = this.isSuspected;
    this.isSuspected = false;
    if (wasSuspected && eventCount === 0) return true;
    if (wasSuspected) this.askAgain();
    if (this.isDue && eventCount === 0) {
      this.isDue = false;
      this.isSuspected = await this.isSettled();
    }
    return false;
  }
}
