import { isJsonObject } from '#libs/kernel';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { APIError } from 'openai/core/error';
import type { HttpAnswer } from './http-answer.js';

/** Sent by servers of Chat Completions after the last event. */
const LAST = '[DONE]';

/**
 * The events of a streamed answer, parsed. Throws `SyntaxError` for one that is no JSON, and `APIError`, as the client
 * does, for one by which the server reports a failure. The client's own reader does the same at several times the price:
 * it passes every line through as many asynchronous generators as it has layers.
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
  // Ends an event that lacks its blank line: a whole one counts, one that was cut off is no JSON.
  yield '\n\n';
}

function toEvent({ event: name, data }: EventSourceMessage, headers: Headers): unknown {
  const event: unknown = JSON.parse(data);
  const failure = isJsonObject(event) ? event['error'] : undefined;
  if (name === 'error') throw new APIError(undefined, failure ?? (event as object), undefined, headers);
  if (failure) throw new APIError(undefined, failure as object, undefined, headers);
  // vLLM reports an error in a stream as an object of its own.
  if (isJsonObject(event) && event['object'] === 'error')
    throw new APIError(undefined, event, undefined, headers);
  return event;
}
