import type { EventStream } from '#libs/agent-core';
import { followEvents } from '#libs/event-stream';
import { isSettled, type ExecutionView } from '#libs/payloads';
import type { OutgoingEvent } from './server-sent-event.js';

/** The first event of every execution. It follows from the row, so it is never stored; stored ones begin at 2. */
const ACCEPTED = { id: 1, event: 'status', data: { status: 'queued', attempt: 0 } } as const;

/**
 * The number of a `result` whose own number the client has passed: the stream was lost and began anew, with lower numbers
 * than the client has seen. The highest there is, so that numbers never go back and nothing comes after it.
 */
export const FINAL_ID = 2_147_483_647;

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
  if (afterId < ACCEPTED.id) yield ACCEPTED;
  let lastId = Math.max(afterId, ACCEPTED.id);
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
  const id = await locateResult(sources.stream, executionId);
  yield { id: id > lastId ? id : FINAL_ID, event: 'result', data: view };
}
