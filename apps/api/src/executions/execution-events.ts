import type { EventStream } from '#libs/agent-core';
import { followEvents } from '#libs/event-stream';
import { isSettled, type ExecutionView } from '#libs/payloads';
import type { OutgoingEvent } from './server-sent-event.js';

/** The first event of every execution. It follows from the row, so it is never stored; stored ones begin at 2. */
const ACCEPTED = { id: 1, event: 'status', data: { status: 'queued', attempt: 0 } } as const;

/** What the events of one execution are read from. */
export interface EventSources {
  readonly stream: Pick<EventStream, 'readAfter' | 'watch' | 'lastId'>;
  /** The execution as it is now; null when it is gone. */
  readonly read: () => Promise<ExecutionView | null>;
  /** How soon to look again when the stream is silent. */
  readonly pollMs: number;
  /** Silence before a heartbeat. */
  readonly heartbeatMs?: number;
}

/**
 * The number of the `result` of a settled execution: that of the stored one, or the next free number where the stream
 * was lost, or its writer died between settling and telling.
 */
export async function locateResult(
  stream: Pick<EventStream, 'readAfter' | 'lastId'>,
  executionId: string,
): Promise<number> {
  const lastId = Math.max(await stream.lastId(executionId), ACCEPTED.id);
  const [last] = await stream.readAfter(executionId, lastId - 1, 1);
  return last?.event === 'result' ? lastId : lastId + 1;
}

/** Whether an execution has had this event, 0 for none. While the stream cannot say, the client is believed. */
export async function isKnownEvent(
  stream: Pick<EventStream, 'lastId'>,
  executionId: string,
  id: number,
): Promise<boolean> {
  return id <= ACCEPTED.id || id <= (await stream.lastId(executionId).catch(() => id));
}

/**
 * Every event after `afterId`: those that were, then new ones as they come, up to `result`. An execution that has
 * settled tells its `result` even where the stream has lost it.
 */
export async function* executionEvents(
  sources: EventSources,
  executionId: string,
  afterId: number,
  signal: AbortSignal,
): AsyncGenerator<OutgoingEvent, void, undefined> {
  if (afterId < ACCEPTED.id) yield ACCEPTED;
  const from = Math.max(afterId, ACCEPTED.id);
  const hasEnded = async (): Promise<boolean> => {
    const view = await sources.read();
    return view === null || isSettled(view.status);
  };
  const { pollMs, heartbeatMs } = sources;
  const options = { signal, pollMs, isSettled: hasEnded, ...(heartbeatMs !== undefined && { heartbeatMs }) };
  let seenId = from;
  for await (const item of followEvents(sources.stream, executionId, from, options)) {
    yield item;
    if (item.event === 'result') return;
    if ('id' in item) seenId = item.id;
  }
  if (!signal.aborted) yield* lostResult(sources, executionId, seenId);
}

async function* lostResult(
  sources: EventSources,
  executionId: string,
  seenId: number,
): AsyncGenerator<OutgoingEvent, void, undefined> {
  const view = await sources.read();
  if (view === null) return;
  // A stream that was lost and begun anew may number its result below what this client has seen.
  const id = Math.max(await locateResult(sources.stream, executionId), seenId + 1);
  yield { id, event: 'result', data: view };
}
