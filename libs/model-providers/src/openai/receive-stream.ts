import type { ModelDelta } from '#libs/agent-core';
import { ResponsesStreamDecoder, type ResponsesRequest } from '#libs/payloads';
import type { Stream } from 'openai/core/streaming';
import { requestIdOf, send, type CallLine, type Received } from './call-line.js';
import { invalidResponse, reportedFailure, truncatedStream } from './failure.js';
import { translateError } from './translate-error.js';

/** After the last event a server closes the stream; waiting for that keeps the connection for the next call. */
const GRACE_MS = 100;

/** One call whose answer is shown while it grows. */
export async function receiveStream(
  line: CallLine,
  body: ResponsesRequest,
  onDelta: (delta: ModelDelta) => void,
): Promise<Received> {
  const { events, requestId } = await open(line, body);
  const decoder = new ResponsesStreamDecoder();
  let eventCount = 0;
  const patience = new Patience(line, decoder);
  while (decoder.ending === null) {
    let next: IteratorResult<unknown, unknown>;
    try {
      next = await events.next();
    } catch (error) {
      throw translateError(error, 'answer', line.clock.now(), requestId);
    }
    if (next.done === true) throw truncatedStream({ requestId });
    eventCount += 1;
    for (const delta of decoder.push(next.value)) {
      if (!line.watch.isStopped) onDelta(delta);
    }
    patience.renew();
  }
  await letEnd(events);
  if (decoder.ending.kind === 'answered') return { answer: decoder.ending.answer, requestId, eventCount };
  const { code, status } = decoder.ending;
  throw reportedFailure({ code, responseStatus: status, requestId });
}

/** How long the stream may be silent: longer while the model reasons. Starts anew with every event. */
class Patience {
  private wasReasoning: boolean | null = null;

  constructor(
    private readonly line: CallLine,
    private readonly decoder: ResponsesStreamDecoder,
  ) {
    this.renew();
  }

  renew(): void {
    const { line, decoder } = this;
    if (decoder.isReasoning === this.wasReasoning) return line.watch.progress();
    this.wasReasoning = decoder.isReasoning;
    const { timeoutMs, idleTimeoutMs } = line;
    line.watch.expectWithin(
      decoder.isReasoning ? Math.max(timeoutMs, idleTimeoutMs) : idleTimeoutMs,
      'idle_timeout',
    );
  }
}

async function open(
  line: CallLine,
  body: ResponsesRequest,
): Promise<{ readonly events: AsyncIterator<unknown>; readonly requestId: string | null }> {
  try {
    const { data, response } = await send<Stream<unknown>>(line, body).withResponse();
    const requestId = requestIdOf(response);
    if (!isEventStream(response)) throw invalidResponse({ requestId });
    return { events: data[Symbol.asyncIterator](), requestId };
  } catch (error) {
    throw translateError(error, 'request', line.clock.now());
  }
}

/** Some compatible servers send no content type at all. */
function isEventStream(response: Response): boolean {
  const contentType = response.headers.get('content-type') ?? 'text/event-stream';
  return response.body !== null && contentType.toLowerCase().includes('text/event-stream');
}

/** Never fails: the answer is already known. */
async function letEnd(events: AsyncIterator<unknown>): Promise<void> {
  const grace = Promise.withResolvers<null>();
  const timer = setTimeout(grace.resolve, GRACE_MS, null);
  await Promise.race([grace.promise, events.next().catch(() => undefined)]);
  clearTimeout(timer);
}
