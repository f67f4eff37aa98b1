import { isJsonObject } from '#libs/kernel';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { APIError } from 'openai/core/error';
import type { HttpAnswer } from './http-answer.js';

/** Final event of Chat Completions servers. */
const LAST = '[DONE]';

/**
 * Parsed events of a streamed answer. Throws `SyntaxError` for invalid JSON, and like the official client `APIError`
 * for an error event. The client's own reader is several times slower, because every line passes through nested
 * asynchronous generators.
 */
export async function* readEvents({
  headers,
  body,
}: Pick<HttpAnswer, 'headers' | 'body'>): AsyncGenerator<unknown, void, undefined> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  for await (const text of readText(body ?? [])) {
    parser.feed(text);
    for (const message of arrived.splice(0)) {
      if (message.data === LAST) return;
      yield toEvent(message, headers);
    }
  }
}

async function* readText(body: AsyncIterable<Uint8Array> | readonly Uint8Array[]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of body) yield decoder.decode(piece, { stream: true });
  // Ends an event without a final blank line: a complete one counts, a truncated one is invalid JSON.
  yield '\n\n';
}

function toEvent({ event: name, data }: EventSourceMessage, headers: Headers): unknown {
  const event: unknown = JSON.parse(data);
  const failure = isJsonObject(event) ? event['error'] : undefined;
  if (name === 'error') throw new APIError(undefined, failure ?? (event as object), undefined, headers);
  if (failure) throw new APIError(undefined, failure as object, undefined, headers);
  // vLLM reports errors within a stream as a separate object.
  if (isJsonObject(event) && event['object'] === 'error')
    throw new APIError(undefined, event, undefined, headers);
  return event;
}
