import { EventSourceParserStream } from 'eventsource-parser/stream';
import { signedOut } from './client.js';
import { problemFrom } from './problem.js';
import { waitBeforeRetry } from './wait-before-retry.js';

/** Whether a stream of events is connected at the moment. */
export type Connection = 'connecting' | 'live' | 'interrupted' | 'ended';

interface StreamedEvent {
  readonly event?: string | undefined;
}

export interface FollowStream<Event extends StreamedEvent> {
  /** Path of the stream in the API. */
  readonly path: string;
  /** Id of the event after which it begins; null or left out for the beginning. */
  readonly after?: string | null;
  readonly signal: AbortSignal;
  readonly onEvents: (events: readonly Event[]) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Whether nothing comes after this event. */
  readonly isLast: (event: Event) => boolean;
}

/** The server sends a heartbeat after 10 s of silence: a connection that is silent for longer is dead. */
const SILENCE_MS = 30_000;

/**
 * Follows events until the last one: resumes after the one that came last, with growing pauses while the server cannot be
 * reached. Heartbeats are left out.
 * @throws {ApiProblem} when the server refuses
 */
export async function followStream<Event extends StreamedEvent>(follow: FollowStream<Event>): Promise<void> {
  const { after = null } = follow;
  let lastId = after;
  const isLeft = (): boolean => follow.signal.aborted;
  for (let failures = 0; !isLeft(); failures += 1) {
    follow.onConnection(failures === 0 && lastId === after ? 'connecting' : 'interrupted');
    const leaving = new AbortController();
    const signal = AbortSignal.any([follow.signal, leaving.signal]);
    const response = await connect(follow.path, signal, lastId);
    if (response?.status === 204) break;
    if (response !== null && !response.ok && !isPassing(response.status)) {
      signedOut.report(response.status);
      throw problemFrom(response.status, await response.json().catch(() => null));
    }
    if (response?.ok === true && response.body !== null) {
      follow.onConnection('live');
      const read = await readEvents(response.body, follow, () => leaving.abort());
      if (read.hasEnded) break;
      if (read.lastId !== null) {
        lastId = read.lastId;
        failures = 0;
      }
    }
    if (!isLeft()) follow.onConnection('interrupted');
    await waitBeforeRetry(failures, follow.signal);
  }
  if (!isLeft()) follow.onConnection('ended');
}

async function connect(path: string, signal: AbortSignal, lastId: string | null): Promise<Response | null> {
  try {
    return await fetch(path, {
      signal,
      headers: { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) },
    });
  } catch {
    return null;
  }
}

const isPassing = (status: number): boolean => status === 429 || status >= 500;

/** Hands on events in groups: everything that came until the page has time for it. */
async function readEvents<Event extends StreamedEvent>(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onEvents, isLast }: Pick<FollowStream<Event>, 'onEvents' | 'isLast'>,
  onSilence: () => void,
): Promise<{ lastId: string | null; hasEnded: boolean }> {
  const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const pending: Event[] = [];
  let lastId: string | null = null;
  let hasEnded = false;
  let flushing: Promise<void> | null = null;
  const flush = (): void => {
    flushing = null;
    onEvents(pending.splice(0));
  };
  let silence = setTimeout(onSilence, SILENCE_MS);
  try {
    for await (const message of messages) {
      clearTimeout(silence);
      silence = setTimeout(onSilence, SILENCE_MS);
      lastId = message.id ?? lastId;
      const event = eventOf(message) as Event | null;
      if (event === null) continue;
      hasEnded ||= isLast(event);
      pending.push(event);
      flushing ??= nextFrame().then(flush);
    }
  } catch {
    // A broken connection ends the stream like a closed one: both are resumed.
  }
  clearTimeout(silence);
  if (pending.length > 0) flush();
  return { lastId, hasEnded };
}

/** Null for a heartbeat, and for what is no event. */
function eventOf(message: {
  event?: string | undefined;
  id?: string | undefined;
  data: string;
}): object | null {
  try {
    if (message.event === 'heartbeat') return null;
    const data: unknown = JSON.parse(message.data);
    return { event: message.event, id: message.id ?? '', data };
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
