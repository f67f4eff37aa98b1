import type { CallOptions } from '../call-options.js';
import { ApiError } from '../errors.js';
import { pause } from '../pause.js';
import { pathOf } from '../path-of.js';
import { failureOf, type Transport } from '../transport.js';
import type { WireEvent } from './event-parser.js';
import { readEvents } from './read-events.js';
import { Reconnection } from './reconnection.js';

/** State of the connection of a stream. */
export type Connection = 'connecting' | 'live' | 'interrupted' | 'ended';

export interface FollowOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Id of the last event that is known: only later ones come. */
  readonly after?: string | number | undefined;
  /** Failures in a row; by default those of the client until the stream is connected, and then any number. */
  readonly maxRetries?: number | undefined;
  /** Called when the connection is made, breaks off and ends. */
  readonly onConnection?: ((connection: Connection) => void) | undefined;
}

export interface FollowExecutionOptions extends FollowOptions {
  /** Stream token in place of an API key. A function is asked for another one once a token has expired. */
  readonly streamToken?: string | (() => string | Promise<string>) | undefined;
}

/** A stream of events of the API. */
export interface Stream<Event> {
  readonly path: string;
  /** Whether ids are numbers that grow, so that an event which comes twice is noticed. */
  readonly isNumbered: boolean;
  /** Whether no event follows this one. */
  readonly isLast: (event: Event) => boolean;
  /** Whether heartbeats are events, too. */
  readonly hasHeartbeats?: boolean;
}

/** Yields the events of a stream up to the last one; a broken connection is made again after the last event that came. */
export async function* follow<Event>(
  transport: Transport,
  stream: Stream<Event>,
  options: FollowExecutionOptions = {},
): AsyncGenerator<Event, void, undefined> {
  const { signal, maxRetries, onConnection = () => undefined } = options;
  const reconnection = new Reconnection(
    maxRetries ?? transport.settings.maxRetries,
    maxRetries ?? Number.POSITIVE_INFINITY,
  );
  const token = new StreamToken(options.streamToken);
  const place = new Place(options.after);
  onConnection('connecting');
  for (;;) {
    const answer = await connect(transport, stream.path, place, await token.current(), options);
    if (answer instanceof ApiError && answer.status === 401 && token.renew()) continue;
    if (!(answer instanceof Error)) {
      if (answer.body === null || answer.status === 204) break;
      token.accept();
      reconnection.connect();
      onConnection('live');
      for await (const wire of readEvents(answer.body, (ms) => (reconnection.retryMs = ms))) {
        reconnection.succeed();
        if (wire.event === 'heartbeat' && stream.hasHeartbeats !== true) continue;
        const event = eventOf(wire) as Event | null;
        if (event === null || (!place.move(wire.id) && stream.isNumbered)) continue;
        yield event;
        if (!stream.isLast(event)) continue;
        onConnection('ended');
        return;
      }
      signal?.throwIfAborted();
    }
    const wait = reconnection.pauseAfter(answer instanceof Error ? failureOf(answer) : null, Math.random());
    if (answer instanceof Error && wait === null) throw answer;
    onConnection('interrupted');
    await pause(wait ?? 0, signal);
  }
  onConnection('ended');
}

/** The last event that came. */
class Place {
  id: string | null;

  constructor(after: string | number | undefined) {
    this.id = after === undefined ? null : String(after);
  }

  /** Goes on to an event; false where it is not after the last one. An event without an id is at no place. */
  move(id: string | null): boolean {
    if (id === null) return true;
    const isNew = this.id === null || Number(id) > Number(this.id);
    this.id = id;
    return isNew;
  }
}

/** A token that is taken anew where one was accepted before and is not any more. */
class StreamToken {
  private token: string | null = null;
  private wasAccepted = false;

  constructor(private readonly source: FollowExecutionOptions['streamToken']) {}

  async current(): Promise<string | null> {
    this.token ??= (typeof this.source === 'function' ? await this.source() : this.source) ?? null;
    return this.token;
  }

  accept(): void {
    this.wasAccepted = true;
  }

  /** Has the next connection take another token; false where that would change nothing. */
  renew(): boolean {
    const mayHelp = typeof this.source === 'function' && this.wasAccepted;
    this.wasAccepted = false;
    if (mayHelp) this.token = null;
    return mayHelp;
  }
}

async function connect(
  transport: Transport,
  path: string,
  { id }: Place,
  token: string | null,
  options: FollowExecutionOptions,
): Promise<Response | Error> {
  const answer = await transport.attempt<Response>({
    method: 'GET',
    path: pathOf(path, [], { stream_token: token }),
    headers: { accept: 'text/event-stream', ...(id !== null && { 'last-event-id': id }) },
    options: { ...options, idempotencyKey: undefined },
    keepsBody: true,
  });
  return answer instanceof Error ? answer : answer.data;
}

/** Null for an event whose data are no JSON. */
function eventOf({ event, id, data }: WireEvent): unknown {
  try {
    return { event, ...(id !== null && { id }), data: JSON.parse(data) as unknown };
  } catch {
    return null;
  }
}
