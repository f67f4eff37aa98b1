import type { MonotonicClock, Timers } from '#libs/kernel';
import { isLastEvent, type ExecutionView, type NumberedEvent } from '#libs/payloads';
import type { AppendWatch, EventStream } from '../ports/event-stream.js';
import type { ExecutionEnding } from '../ports/execution-reader.js';
import { ACCEPTED_EVENT, FINAL_ID, FIRST_STORED_ID, nextEventId } from './event-numbers.js';
import { findRestOfText } from './rest-of-text.js';
import { followEvents, type FollowedItem, type FollowOptions } from './follow-events.js';

/** As the last number of all, of a `result` that a title follows. */
const LAST_BUT_ONE_ID = FINAL_ID - 1;

/** What the events of one execution are read from. */
export interface EventSources {
  readonly stream: Pick<EventStream, 'readAfter' | 'watch' | 'lastId'>;
  /** A watch that was made before anybody had begun the execution, where it was. */
  readonly sinceEmpty: AppendWatch | undefined;
  /** The execution as it is now; null when it is gone. */
  readonly read: () => Promise<ExecutionEnding | null>;
  /** Whether it has settled, or is gone; the answer may take a second or two. */
  readonly isSettled: () => Promise<boolean>;
  /** How much longer a last event is waited for that is due. */
  readonly graceMs: number;
  /** Silence before a heartbeat. */
  readonly heartbeatMs?: number;
  /** How long a title is waited for. */
  readonly titleWaitMs?: number;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
}

/** Longer than a title takes where anybody makes one (S4-41); without a worker nobody does. */
const TITLE_WAIT_MS = 60_000;

/** What a client has seen of the events that end a stream: all, the `result` that a title follows, or neither. */
export type SeenEnding = 'all' | 'result' | 'none';

/**
 * What a client that names `afterId` as the last event that it has seen knows of the ending of a settled execution: it
 * names a stored one, or the last numbers there are. The number of an event that was lost says nothing of the result.
 */
export async function findSeenEnding(
  stream: Pick<EventStream, 'readAfter' | 'lastId'>,
  { id, attempt }: Pick<ExecutionView, 'id' | 'attempt'>,
  afterId: number,
): Promise<SeenEnding> {
  if (afterId === 0) return 'none';
  if (afterId >= LAST_BUT_ONE_ID) return afterId >= FINAL_ID ? 'all' : 'result';
  const [named] = await stream.readAfter(id, afterId - 1, 1);
  if (named?.id !== afterId || (named.event !== 'result' && !isLastEvent(named))) return 'none';
  const [first] = await stream.readAfter(id, ACCEPTED_EVENT.id, 1);
  if (first === undefined || !isBeginning(first, attempt)) return 'none';
  return isLastEvent(named) ? 'all' : 'result';
}

/** A later attempt that found the stream lost began to count anew, so that a number may stand for two events. */
function isBeginning(first: NumberedEvent, attempt: number): boolean {
  return first.id === FIRST_STORED_ID && (attempt <= 1 || first.event === 'session_start');
}

/** Where a follower begins. */
export interface FollowedFrom {
  readonly afterId: number;
  readonly seen: Exclude<SeenEnding, 'all'>;
}

/**
 * Every event after `afterId`: those that were, then new ones as they come, up to `result`, and the title where it says
 * that one follows soon. An execution that has settled has both even where the stream has lost them, and the rest of its
 * text where that was never written. Numbers only rise, whatever became of the stream.
 */
export async function* executionEvents(
  sources: EventSources,
  executionId: string,
  { afterId, seen }: FollowedFrom,
  signal: AbortSignal,
): AsyncGenerator<FollowedItem, void, undefined> {
  let lastId = Math.max(afterId, ACCEPTED_EVENT.id);
  if (seen === 'none') {
    if (afterId < ACCEPTED_EVENT.id) yield ACCEPTED_EVENT;
    const result = yield* eventsUpToResult(sources, executionId, lastId, signal);
    if (result === null || isLastEvent(result)) return;
    lastId = result.id;
  }
  yield* eventsUpToTitle(sources, executionId, lastId, signal);
}

type ResultEvent = Extract<NumberedEvent, { event: 'result' }>;

/** Answers the result; null when there is none to emit. */
async function* eventsUpToResult(
  sources: EventSources,
  executionId: string,
  afterId: number,
  signal: AbortSignal,
): AsyncGenerator<FollowedItem, ResultEvent | null, undefined> {
  let lastId = afterId;
  const { isSettled, sinceEmpty } = sources;
  const options = { signal, until: 'result', isSettled, sinceEmpty } as const;
  for await (const item of follow(sources, executionId, lastId, options)) {
    yield item;
    if (item.event === 'result') return item;
    if ('id' in item) lastId = item.id;
  }
  const ending = signal.aborted || lastId >= FINAL_ID ? null : await sources.read();
  if (ending === null) return null;
  const nextId = nextEventId(await sources.stream.lastId(executionId));
  // The client has seen a number that the stream does not reach: it was lost.
  const isLost = nextId <= lastId;
  const rest = isLost ? null : await findRestOfText(sources.stream, executionId, lastId, ending.result);
  if (rest !== null) yield { id: nextId, ...rest };
  const lastOfAll = ending.result.title_pending ? LAST_BUT_ONE_ID : FINAL_ID;
  const id = isLost ? lastOfAll : nextId + (rest === null ? 0 : 1);
  const result: ResultEvent = { id, event: 'result', data: ending.result };
  yield result;
  return result;
}

/**
 * Without a title where none comes in time: whoever follows again with the number of the result waits for it anew.
 *
 * @param afterId of the result
 */
async function* eventsUpToTitle(
  sources: EventSources,
  executionId: string,
  afterId: number,
  signal: AbortSignal,
): AsyncGenerator<FollowedItem, void, undefined> {
  const hasTitle = async (): Promise<boolean> => {
    const ending = await sources.read();
    return ending === null || ending.title !== null;
  };
  const until = 'title_generated';
  const late = new AbortController();
  const cancelTimeout = sources.timers.after(sources.titleWaitMs ?? TITLE_WAIT_MS, () => {
    late.abort();
  });
  const inTime = AbortSignal.any([signal, late.signal]);
  const options = { signal: inTime, until, isSettled: hasTitle } as const;
  try {
    for await (const item of follow(sources, executionId, afterId, options)) {
      // A result that a slow worker has appended late was emitted here already.
      if (item.event === until || item.event === 'heartbeat') yield item;
      if (item.event === until) return;
    }
  } finally {
    cancelTimeout();
  }
  const title = signal.aborted ? null : (await sources.read())?.title;
  if (typeof title !== 'string') return;
  yield { id: afterId + 1, event: until, data: { title } };
}

function follow(
  { stream, graceMs, heartbeatMs, clock }: EventSources,
  executionId: string,
  afterId: number,
  options: Pick<FollowOptions, 'signal' | 'until' | 'isSettled' | 'sinceEmpty'>,
) {
  const times = { clock, graceMs, ...(heartbeatMs !== undefined && { heartbeatMs }) };
  return followEvents(stream, executionId, afterId, { ...options, ...times });
}
