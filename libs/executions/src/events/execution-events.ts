import type { MonotonicClock, Timers } from '#libs/kernel';
import { isLastEvent, type ExecutionView, type NumberedEvent } from '#libs/payloads';
import type { AppendWatch, EventStream } from '../ports/event-stream.js';
import type { ExecutionEnding } from '../ports/execution-reader.js';
import { ACCEPTED_EVENT, FINAL_ID, FIRST_STORED_ID, nextEventId } from './event-numbers.js';
import { findRestOfText } from './rest-of-text.js';
import { followEvents, type FollowedItem, type FollowOptions } from './follow-events.js';

/** Number of a `result` event at the end of the range when a title event follows. */
const LAST_BUT_ONE_ID = FINAL_ID - 1;

/** Sources of one execution's events. */
export interface EventSources {
  readonly stream: Pick<EventStream, 'readAfter' | 'watch' | 'lastId'>;
  /** Watch created before the execution had any stored event, if there is one. */
  readonly sinceEmpty: AppendWatch | undefined;
  /** Reads the current state of the execution; null when it was deleted. */
  readonly read: () => Promise<ExecutionEnding | null>;
  /** Whether the execution has settled or was deleted; the answer may take up to two seconds. */
  readonly isSettled: () => Promise<boolean>;
  /** Extra wait for a last event that is due, in milliseconds. */
  readonly graceMs: number;
  /** Silence before a heartbeat, in milliseconds. */
  readonly heartbeatMs?: number;
  /** Maximum wait for a title, in milliseconds. */
  readonly titleWaitMs?: number;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
}

/** Longer than a title takes where titles are generated (S4-41); without a worker none comes. */
const TITLE_WAIT_MS = 60_000;

/** Final events that a client has seen: all, only the `result` before a title, or none. */
export type SeenEnding = 'all' | 'result' | 'none';

/**
 * Determines which final events of a settled execution a client with `afterId` has seen: `afterId` names a stored final
 * event or one of the two reserved last numbers. The number of a lost event proves nothing about the result.
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

/** An attempt that found the stream lost restarts the numbering, so that one number may stand for two events. */
function isBeginning(first: NumberedEvent, attempt: number): boolean {
  return first.id === FIRST_STORED_ID && (attempt <= 1 || first.event === 'session_start');
}

/** Position from which a follower reads. */
export interface FollowedFrom {
  readonly afterId: number;
  readonly seen: Exclude<SeenEnding, 'all'>;
}

/**
 * Yields every event after `afterId` up to `result`, and a title that follows soon; those of one read or append together.
 * For a settled execution it restores lost text, result and title. Numbers only rise, even after a loss of the stream.
 */
export async function* executionEvents(
  sources: EventSources,
  executionId: string,
  { afterId, seen }: FollowedFrom,
  signal: AbortSignal,
): AsyncGenerator<readonly FollowedItem[], void, undefined> {
  let lastId = Math.max(afterId, ACCEPTED_EVENT.id);
  if (seen === 'none') {
    if (afterId < ACCEPTED_EVENT.id) yield [ACCEPTED_EVENT];
    const result = yield* eventsUpToResult(sources, executionId, lastId, signal);
    if (result === null || isLastEvent(result)) return;
    lastId = result.id;
  }
  yield* eventsUpToTitle(sources, executionId, lastId, signal);
}

type ResultEvent = Extract<NumberedEvent, { event: 'result' }>;

/** Returns the result event; null when there is none to emit. */
async function* eventsUpToResult(
  sources: EventSources,
  executionId: string,
  afterId: number,
  signal: AbortSignal,
): AsyncGenerator<readonly FollowedItem[], ResultEvent | null, undefined> {
  let lastId = afterId;
  const { isSettled, sinceEmpty } = sources;
  const options = { signal, until: 'result', isSettled, sinceEmpty } as const;
  for await (const items of follow(sources, executionId, lastId, options)) {
    yield items;
    const last = items.at(-1);
    if (last?.event === 'result') return last;
    if (last !== undefined && 'id' in last) lastId = last.id;
  }
  const ending = signal.aborted || lastId >= FINAL_ID ? null : await sources.read();
  if (ending === null) return null;
  const nextId = nextEventId(await sources.stream.lastId(executionId));
  // The client has seen a number beyond the end of the stream, so the stream was lost.
  const isLost = nextId <= lastId;
  const rest = isLost ? null : await findRestOfText(sources.stream, executionId, lastId, ending.result);
  if (rest !== null) yield [{ id: nextId, ...rest }];
  const lastOfAll = ending.result.title_pending ? LAST_BUT_ONE_ID : FINAL_ID;
  const id = isLost ? lastOfAll : nextId + (rest === null ? 0 : 1);
  const result: ResultEvent = { id, event: 'result', data: ending.result };
  yield [result];
  return result;
}

/**
 * Ends without a title if none arrives in time; a client that reconnects after the result waits again.
 * @param afterId number of the result event
 */
async function* eventsUpToTitle(
  sources: EventSources,
  executionId: string,
  afterId: number,
  signal: AbortSignal,
): AsyncGenerator<readonly FollowedItem[], void, undefined> {
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
    for await (const items of follow(sources, executionId, afterId, options)) {
      // A result appended late by a slow worker was already emitted here.
      const wanted = items.filter(({ event }) => event === until || event === 'heartbeat');
      if (wanted.length > 0) yield wanted;
      if (wanted.at(-1)?.event === until) return;
    }
  } finally {
    cancelTimeout();
  }
  const title = signal.aborted ? null : (await sources.read())?.title;
  if (typeof title !== 'string') return;
  yield [{ id: afterId + 1, event: until, data: { title } }];
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
