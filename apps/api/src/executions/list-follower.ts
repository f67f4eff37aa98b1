import type { MonotonicClock } from '#libs/kernel';
import type { ExecutionChanges, ExecutionStanding } from '#libs/persistence';

/** Event that a follower of the executions of a tenant receives. */
export type ListEvent =
  | { readonly event: 'execution'; readonly id: number; readonly data: ExecutionStanding }
  | { readonly event: 'listening'; readonly id: number; readonly data: Nothing }
  | { readonly event: 'reset'; readonly id: number; readonly data: Nothing }
  | { readonly event: 'heartbeat'; readonly data: Nothing };
type Nothing = Readonly<Record<string, never>>;

/** Maximum silence before a heartbeat. */
const HEARTBEAT_MS = 10_000;

export interface ListSources {
  /** Reads what has changed since a time in ms; each reading takes about a second, which sets the pace. */
  readonly read: (since: number) => Promise<ExecutionChanges>;
  /** Reads how these executions stand. */
  readonly readOf: (ids: readonly string[]) => Promise<readonly ExecutionStanding[]>;
  readonly clock: MonotonicClock;
}

/**
 * Yields how executions stand whenever that has changed, first those that run or wait for a person and, where `since` is
 * given, what was made or has settled since then; `listening` ends this beginning. An id is a time in milliseconds: all that
 * changed before was sent by then. What is read again, since it may have changed in between, is sent once.
 */
export async function* listEvents(
  { read, readOf, clock }: ListSources,
  first: ExecutionChanges,
  resumed: number | null,
  signal: AbortSignal,
): AsyncGenerator<ListEvent, void, undefined> {
  let since: number = resumed ?? first.at;
  let isFirst = true;
  let known: ReadonlyMap<string, ExecutionStanding> = new Map();
  let saidAt = clock.monotonic();
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const changes: ExecutionChanges | null = isFirst ? first : await orNull(read(since));
    if (isOver()) return;
    if (changes !== null) {
      const { rows, at, isCutOff }: ExecutionChanges = changes;
      const now: ReadonlyMap<string, ExecutionStanding> = new Map(rows.map((row) => [row.id, row]));
      const left = [...known.values()].filter((row) => isUnderWay(row) && !now.has(row.id));
      const moved = left.length === 0 ? [] : await orNull(readOf(left.map(({ id }) => id)));
      // The next reading asks again for executions that left the list.
      if (moved === null) continue;
      const events = [...rows, ...moved].filter((row) => differs(known.get(row.id), row));
      // With the new time they would leave out the rest of the reading when a client resumes after them.
      const before = since;
      for (const [index, data] of events.entries()) {
        const isLast = index === events.length - 1 && !isFirst && !isCutOff;
        yield { event: 'execution', id: isLast ? at : before, data };
      }
      if (isCutOff) yield { event: 'reset', id: at, data: {} };
      if (isFirst) yield { event: 'listening', id: at, data: {} };
      if (events.length > 0 || isFirst || isCutOff) saidAt = clock.monotonic();
      [since, isFirst, known] = [at, false, now];
    }
    if (clock.monotonic() - saidAt < HEARTBEAT_MS) continue;
    yield { event: 'heartbeat', data: {} };
    saidAt = clock.monotonic();
  }
}

/** A failed reading is left out, so that the stream outlives an outage of the database. */
function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  return reading.catch(() => null);
}

function isUnderWay({ status }: ExecutionStanding): boolean {
  return status === 'running' || status === 'requires_action';
}

function differs(known: ExecutionStanding | undefined, { status, attempt }: ExecutionStanding): boolean {
  return known?.status !== status || known.attempt !== attempt;
}
