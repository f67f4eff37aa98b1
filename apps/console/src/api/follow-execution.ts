import { EventSourceParserStream } from 'eventsource-parser/stream';
import { signedOut } from './client.js';
import { problemFrom } from './problem.js';
import type { RunEvent } from './types.js';
import { waitBeforeRetry } from './wait-before-retry.js';

/** Whether the stream of an execution is connected at the moment. */
export type Connection = 'connecting' | 'live' | 'interrupted' | 'ended';

interface Follow {
  readonly executionId: string;
  readonly signal: AbortSignal;
  readonly onEvents: (events: readonly RunEvent[]) => void;
  readonly onConnection: (connection: Connection) => void;
}

/**
 * Follows the events of an execution up to the last one: resumes after the last event that came, with growing pauses while
 * the server cannot be reached.
 * @throws {ApiProblem} when the server refuses
 */
export async function followExecution(follow: Follow): Promise<void> {
  let lastId: string | null = null;
  for (let failures = 0; !follow.signal.aborted; failures += 1) {
    follow.onConnection(failures === 0 ? 'connecting' : 'interrupted');
    const response = await connect(follow, lastId);
    if (response?.status === 204) break;
    if (response !== null && !response.ok && !isPassing(response.status)) {
      signedOut.report(response.status);
      throw problemFrom(response.status, await response.json().catch(() => null));
    }
    if (response?.ok === true && response.body !== null) {
      follow.onConnection('live');
      const read = await readEvents(response.body, follow.onEvents);
      if (read.hasEnded) break;
      if (read.lastId !== null) {
        lastId = read.lastId;
        failures = 0;
      }
    }
    await waitBeforeRetry(failures, follow.signal);
  }
  if (!follow.signal.aborted) follow.onConnection('ended');
}

async function connect({ executionId, signal }: Follow, lastId: string | null): Promise<Response | null> {
  try {
    return await fetch(`/api/executions/${encodeURIComponent(executionId)}/events/`, {
      signal,
      headers: { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) },
    });
  } catch {
    return null;
  }
}

const isPassing = (status: number): boolean => status === 429 || status >= 500;

/** Hands on events in groups: everything that came until the page has time for it. */
async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvents: (events: readonly RunEvent[]) => void,
): Promise<{ lastId: string | null; hasEnded: boolean }> {
  const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const pending: RunEvent[] = [];
  let lastId: string | null = null;
  let hasEnded = false;
  let flushing: Promise<void> | null = null;
  const flush = (): void => {
    flushing = null;
    onEvents(pending.splice(0));
  };
  try {
    for await (const message of messages) {
      lastId = message.id ?? lastId;
      const event = eventOf(message);
      if (event === null) continue;
      hasEnded ||= event.event === 'result' && !event.data.title_pending;
      pending.push(event);
      flushing ??= nextFrame().then(flush);
    }
  } catch {
    // A broken connection ends the stream like a closed one: both are resumed.
  }
  if (pending.length > 0) flush();
  return { lastId, hasEnded };
}

/** Null for a heartbeat, and for what is no event. */
function eventOf(message: {
  event?: string | undefined;
  id?: string | undefined;
  data: string;
}): RunEvent | null {
  try {
    if (message.event === 'heartbeat') return null;
    const data: unknown = JSON.parse(message.data);
    return { event: message.event, id: message.id ?? '', data } as RunEvent;
  } catch {
    return null;
  }
}

/** A hidden page draws no frames, and takes its events after a short while. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve, 200);
    else requestAnimationFrame(() => resolve());
  });
}
