import { ACCEPTED_EVENT, FINAL_ID, FIRST_STORED_ID, nextEventId, type EventStream } from '#libs/executions';
import { followEvents } from '#libs/event-stream';
import { isSettled, type ExecutionView, type NumberedEvent } from '#libs/payloads';
import type { OutgoingEvent } from './server-sent-event.js';

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
 * Whether a client that names `afterId` as the last that it has seen has seen the `result` of a settled execution: it
 * names the stored one, or the last number there is. The number of an event that was lost says nothing of the result.
 */
export async function hasSeenResult(
  stream: Pick<EventStream, 'readAfter' | 'lastId'>,
  { id, attempt }: Pick<ExecutionView, 'id' | 'attempt'>,
  afterId: number,
): Promise<boolean> {
  if (afterId === 0 || afterId >= FINAL_ID) return afterId !== 0;
  const [named] = await stream.readAfter(id, afterId - 1, 1);
  if (named?.id !== afterId || named.event !== 'result') return false;
  const [first] = await stream.readAfter(id, ACCEPTED_EVENT.id, 1);
  return first !== undefined && isBeginning(first, attempt);
}

/** A later attempt that found the stream lost began to count anew, so that a number may stand for two events. */
function isBeginning(first: NumberedEvent, attempt: number): boolean {
  return first.id === FIRST_STORED_ID && (attempt <= 1 || first.event === 'session_start');
}

/**
 * Every event after `afterId`: those that were, then new ones as they come, up to `result`. An execution that has
 * settled tells its `result` even where the stream has lost it. Numbers only rise, whatever became of the stream.
 */
export async function* executionEvents(
  sources: EventSources,
  executionId: string,
  afterId: number,
  signal: AbortSignal,
): AsyncGenerator<OutgoingEvent, void, undefined> {
  if (afterId < ACCEPTED_EVENT.id) yield ACCEPTED_EVENT;
  let lastId = Math.max(afterId, ACCEPTED_EVENT.id);
  const hasEnded = async (): Promise<boolean> => {
    const view = await sources.read();
    return view === null || isSettled(view.status);
  };
  const { pollMs, heartbeatMs } = sources;
  const options = { signal, pollMs, isSettled: hasEnded, ...(heartbeatMs !== undefined && { heartbeatMs }) };
  for await (const item of followEvents(sources.stream, executionId, lastId, options)) {
    yield item;
    if (item.event === 'result') return;
    if ('id' in item) lastId = item.id;
  }
  if (!signal.aborted) yield* lostResult(sources, executionId, lastId);
}

async function* lostResult(
  sources: EventSources,
  executionId: string,
  lastId: number,
): AsyncGenerator<OutgoingEvent, void, undefined> {
  const view = await sources.read();
  if (view === null || lastId >= FINAL_ID) return;
  const nextId = nextEventId(await sources.stream.lastId(executionId));
  yield { id: nextId > lastId ? nextId : FINAL_ID, event: 'result', data: view };
}
