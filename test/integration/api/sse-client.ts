import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { assertDocumentedEvent } from '../../support/openapi/documented-answers.js';
import type { EventSchema } from '../../support/openapi/answer-validator.js';

/** A connection to an event stream. Heartbeats are left out, because their number depends on the machine's speed. */
export interface SseConnection {
  readonly status: number;
  readonly headers: Headers;
  /** Reconnection time (`retry`) that the server sent, in milliseconds. */
  readonly retry: () => number | undefined;
  /** Reads the next `count` events, or fewer if the server ends the stream. */
  take(count: number): Promise<EventSourceMessage[]>;
  /** Reads all events up to the end of the stream. */
  rest(): Promise<EventSourceMessage[]>;
  /** Closes the connection, as a client that disconnects. */
  leave(): void;
}

/** Opens an event stream over real HTTP. */
export async function openStream(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<SseConnection> {
  const controller = new AbortController();
  const response = await fetch(new URL(path, url), {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  });
  const messages: EventSourceMessage[] = [];
  let retry: number | undefined;
  const parser = createParser({
    onEvent: (message) => {
      assertDocumentedEvent(message, schemaOf(path));
      if (message.event !== 'heartbeat') messages.push(message);
    },
    onRetry: (ms) => (retry = ms),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();

  const take = async (count: number): Promise<EventSourceMessage[]> => {
    while (messages.length < count) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      parser.feed(chunk.value);
    }
    return messages.splice(0, count);
  };
  return {
    status: response.status,
    headers: response.headers,
    retry: () => retry,
    take,
    rest: () => take(Number.POSITIVE_INFINITY),
    leave: () => controller.abort(),
  };
}

/** Messages as `<id> <event>`. */
export function namesOf(messages: readonly EventSourceMessage[]): string[] {
  return messages.map(({ id, event }) => `${id ?? '-'} ${event ?? '-'}`);
}

function schemaOf(path: string): EventSchema {
  if (path.includes('/documents/')) return 'DocumentEvent';
  return path.startsWith('/api/executions/events/') ? 'ExecutionListEvent' : 'ExecutionEvent';
}
