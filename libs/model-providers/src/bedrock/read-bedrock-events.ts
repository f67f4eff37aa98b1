import { isJsonObject, type JsonObject } from '#libs/kernel';
import { APIError } from 'openai/core/error';
import type { HttpAnswer } from '../calls/http-answer.js';
import { readEvents } from '../calls/read-events.js';
import { BrokenFrame, readEventFrames, type EventFrame } from './read-event-frames.js';

/** Content type of Amazon's event stream. */
export const EVENT_STREAM = 'application/vnd.amazon.eventstream';

/**
 * Events of a streamed answer, from the frames that contain them. Proxies may send the events as text. Iterating throws
 * `SyntaxError` for a broken frame, and `APIError` for an exception.
 */
export async function* readBedrockEvents(
  answer: Pick<HttpAnswer, 'headers' | 'body'>,
): AsyncGenerator<Iterable<unknown>, void, undefined> {
  const { headers, body } = answer;
  if (!(headers.get('content-type') ?? '').toLowerCase().includes(EVENT_STREAM)) {
    yield* readEvents(answer);
    return;
  }
  for await (const frames of readEventFrames(body ?? [])) yield eventsOf(frames, headers);
}

function* eventsOf(frames: Iterable<EventFrame>, headers: Headers): Generator<unknown, void, undefined> {
  for (const frame of frames) yield toEvent(frame, headers);
}

function toEvent({ headers: about, payload }: EventFrame, headers: Headers): unknown {
  const said = parse(payload.toString('utf8'));
  if (about[':message-type'] !== 'event') {
    const type = about[':exception-type'] ?? about[':error-code'] ?? null;
    const message = said['message'] ?? about[':error-message'] ?? null;
    throw new APIError(undefined, { type, message }, undefined, headers);
  }
  const { bytes } = said;
  return typeof bytes === 'string'
    ? withoutError(parse(Buffer.from(bytes, 'base64').toString('utf8')), headers)
    : said;
}

/** An error of the model is an event like any other, in a frame of its own. */
function withoutError(event: JsonObject, headers: Headers): JsonObject {
  if (!isJsonObject(event['error'])) return event;
  throw new APIError(undefined, event['error'], undefined, headers);
}

function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (isJsonObject(value)) return value;
  throw new BrokenFrame('a frame holds no object');
}
