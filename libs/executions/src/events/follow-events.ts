import { AppError, type MonotonicClock } from '#libs/kernel';
import type { ExecutionEventName, NumberedEvent } from '#libs/payloads';
import type { AppendNews, AppendWatch, EventStream } from '../ports/event-stream.js';

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
  /** A watch that was made while nothing was in the stream: nothing is read before it is woken. Closed here. */
  readonly sinceEmpty?: AppendWatch | undefined;
  /** Events read at a time. */
  readonly batch?: number;
  /** Silence before a heartbeat. */
  readonly heartbeatMs?: number;
  /** How long reads may fail in a row before the error is thrown. */
  readonly patienceMs?: number;
  /**
   * Whether what the last event reports has happened. Asked when the stream is silent, because a stream that lost its
   * last event (it is not kept safe) would be followed for ever; then the following ends without one. It may take its
   * time: what comes meanwhile is not held up.
   */
  readonly isSettled?: () => Promise<boolean>;
  /** How much longer the last event is waited for once it is known to be due: it may be on its way. */
  readonly graceMs?: number;
  readonly clock: MonotonicClock;
}

/** Until a store that does not answer is asked again. */
const RETRY_MS = 1_000;

const HEARTBEAT: Silence = { event: 'heartbeat', data: {} };

/**
 * The events after `afterId`, first those that are there, then new ones as they come: in order, none lost, none twice.
 * Reads only when the consumer pulls, and only what the wake-up has not said. Ends after `until` (S4-23), when the signal
 * aborts, or as `isSettled` says.
 */
export async function* followEvents(
  stream: Pick<EventStream, 'readAfter' | 'watch'>,
  executionId: string,
  afterId: number,
  options: FollowOptions,
): AsyncGenerator<FollowedItem, void, undefined> {
  const { signal, until = 'result', batch = 200, heartbeatMs = 10_000, clock } = options;
  const isOver = (): boolean => signal.aborted;
  const read = patientReader(stream, executionId, options.patienceMs ?? 30_000, clock);
  // Registered before the first read: what is appended after that read wakes this watch.
  const watch = options.sinceEmpty ?? stream.watch(executionId);
  const ending = new LostEnding(options, () => {
    watch.wake();
  });
  let lastId = afterId;
  let lastItemAt = clock.monotonic();
  let heard: AppendNews = options.sinceEmpty === undefined ? null : [];
  try {
    while (!isOver()) {
      const answer: AppendNews = heard ?? (await read(lastId, batch));
      heard = null;
      const events = answer ?? [];
      for (const event of events) {
        lastId = event.id;
        yield event;
        if (event.event === until || isOver()) return;
      }
      if (events.length > 0) lastItemAt = clock.monotonic();
      if (events.length === batch) continue;
      if (answer !== null && ending.isReached(events.length)) return;

      const heartbeatInMs = lastItemAt + heartbeatMs - clock.monotonic();
      const lookAgainMs = answer === null ? RETRY_MS : ending.remainingMs;
      heard = await watch.wait(lastId, Math.max(0, Math.min(lookAgainMs, heartbeatInMs)), signal);
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

const GRACE_MS = 1_000;

/**
 * Asks at the first silence and after each heartbeat whether the last event is due. One that is, and has not come within
 * the grace, was lost.
 */
class LostEnding {
  private isDue = true;
  private suspectedAt: number | null = null;

  constructor(
    private readonly options: Pick<FollowOptions, 'isSettled' | 'graceMs' | 'clock'>,
    private readonly onSuspicion: () => void,
  ) {}

  askAgain(): void {
    this.isDue = true;
  }

  /** What is left of the grace; without end while nothing is suspected. */
  get remainingMs(): number {
    if (this.suspectedAt === null) return Infinity;
    const { graceMs = GRACE_MS, clock } = this.options;
    return Math.max(0, this.suspectedAt + graceMs - clock.monotonic());
  }

  /** @param eventCount how many events came when they were read last */
  isReached(eventCount: number): boolean {
    if (eventCount > 0 && this.suspectedAt !== null) {
      this.suspectedAt = null;
      this.isDue = true;
    }
    if (eventCount === 0 && this.isDue) this.ask();
    return this.remainingMs === 0;
  }

  private ask(): void {
    const { isSettled, clock } = this.options;
    this.isDue = false;
    if (isSettled === undefined || this.suspectedAt !== null) return;
    isSettled().then(
      (settled) => {
        if (!settled) return;
        this.suspectedAt = clock.monotonic();
        this.onSuspicion();
      },
      // Asked again with the next heartbeat.
      () => undefined,
    );
  }
}
