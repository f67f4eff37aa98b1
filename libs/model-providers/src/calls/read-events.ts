import { isJsonObject } from '#libs/kernel';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { APIError } from 'openai/core/error';
import type { HttpAnswer } from './http-answer.js';

/** Final event of Chat Completions servers. */
const LAST = '[DONE]';

/**
 * Parsed events of a streamed answer, those of each piece together; a piece without events counts, too. Iterating throws
 * `SyntaxError` for invalid JSON, and like the official client `APIError` for an error event. The client's own reader is
 * several times slower, because every line passes through nested asynchronous generators.
 */
export async function* readEvents(
  answer: Pick<HttpAnswer, 'headers' | 'body'>,
): AsyncGenerator<Iterable<unknown>, void, undefined> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  let [hasBegun, isOver] = [false, false];
  function* eventsOf(text: string): Generator<unknown, void, undefined> {
    parser.feed(text);
    for (const message of arrived.splice(0)) {
      isOver = message.data === LAST;
      if (isOver) return;
      yield toEvent(message, answer);
    }
  }
  for await (const piece of answer.body ?? []) {
    hasBegun = true;
    yield eventsOf(decoder.decode(piece, { stream: true }));
    if (isOver) return;
  }
  // Ends an event without a final blank line: a complete one counts, a truncated one is invalid JSON.
  if (hasBegun) yield eventsOf('\n\n');
}

function toEvent({ event: name, data }: EventSourceMessage, answer: Pick<HttpAnswer, 'headers'>): unknown {
  const event: unknown = JSON.parse(data);
  const failure = isJsonObject(event) ? event['error'] : undefined;
  if (name === 'error')
    throw new APIError(undefined, failure ?? (event as object), undefined, answer.headers);
  if (failure) throw new APIError(undefined, failure as object, undefined, answer.headers);
  // vLLM reports errors within a stream as a separate object.
  if (isJsonObject(event) && event['object'] === 'error')
    throw new APIError(undefined, event, undefined, answer.headers);
  return event;
}
