import { AppError, type MonotonicClock } from '#libs/kernel';
import type { ExecutionEventName, NumberedEvent } from '#libs/payloads';
import type { AppendNews, AppendWatch, EventStream } from '../ports/event-stream.js';

/** Sent after a period of silence, so that no proxy between server and client closes the connection. */
interface Silence {
  readonly event: 'heartbeat';
  readonly data: Readonly<Record<string, never>>;
}

export type FollowedItem = NumberedEvent | Silence;

export interface FollowOptions {
  /** Ends the generator at once. */
  readonly signal: AbortSignal;
  /** Event after which reading stops; default `result`. */
  readonly until?: ExecutionEventName;
  /** Watch created while the stream was empty: nothing is read before the watch wakes. This generator closes it. */
  readonly sinceEmpty?: AppendWatch | undefined;
  /** Events per read; default 200. */
  readonly batch?: number;
  /** Silence before a heartbeat, in milliseconds; default 10,000. */
  readonly heartbeatMs?: number;
  /** Maximum time of consecutive failed reads before the error is thrown, in milliseconds; default 30,000. */
  readonly maxOutageMs?: number;
  /**
   * Whether the state that the last event reports has been reached. Called when the stream is silent: a stream that lost
   * its last event, which is not durable, would be followed for ever. The call may be slow; it does not delay new events.
   */
  readonly isSettled?: () => Promise<boolean>;
  /** Extra wait for a last event that is due but may still be on its way, in milliseconds; default 1,000. */
  readonly graceMs?: number;
  readonly clock: MonotonicClock;
}

/** Delay before a failed read is retried, in milliseconds. */
const RETRY_MS = 1_000;

const HEARTBEAT: readonly [Silence] = [{ event: 'heartbeat', data: {} }];

/**
 * Yields the events after `afterId`, stored ones first, then new ones: in order, none lost, none twice, those of one read
 * or append together. Reads only when the consumer pulls. Ends after `until` (S4-23), on abort, or once `isSettled` holds.
 */
export async function* followEvents(
  stream: Pick<EventStream, 'readAfter' | 'watch'>,
  executionId: string,
  afterId: number,
  options: FollowOptions,
): AsyncGenerator<readonly FollowedItem[], void, undefined> {
  const { signal, until = 'result', batch = 200, heartbeatMs = 10_000, clock } = options;
  const isOver = (): boolean => signal.aborted;
  const read = patientReader(stream, executionId, options.maxOutageMs ?? 30_000, clock);
  // Registered before the first read, so that an append after that read wakes this watch.
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
      const events = upTo(until, answer ?? []);
      const last = events.at(-1);
      if (last !== undefined) {
        lastId = last.id;
        yield events;
        if (last.event === until || isOver()) return;
        lastItemAt = clock.monotonic();
      }
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

function upTo(until: ExecutionEventName, events: readonly NumberedEvent[]): readonly NumberedEvent[] {
  const at = events.findIndex(({ event }) => event === until);
  return at < 0 ? events : events.slice(0, at + 1);
}

/** A restarting store yields `null` (silence) instead of an error; only a lasting failure is thrown. */
function patientReader(
  stream: Pick<EventStream, 'readAfter'>,
  executionId: string,
  maxOutageMs: number,
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
      if (!isPassing || clock.monotonic() - failingSince >= maxOutageMs) throw error;
      return null;
    }
  };
}

const GRACE_MS = 1_000;

/**
 * Detects a lost last event: calls `isSettled` at the first silence and after each heartbeat. A due event that does not
 * arrive within the grace period was lost.
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

  /** Milliseconds left of the grace period; infinite while no loss is suspected. */
  get remainingMs(): number {
    if (this.suspectedAt === null) return Infinity;
    const { graceMs = GRACE_MS, clock } = this.options;
    return Math.max(0, this.suspectedAt + graceMs - clock.monotonic());
  }

  /** @param eventCount number of events in the latest read */
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
      // Repeated with the next heartbeat.
      () => undefined,
    );
  }
}
