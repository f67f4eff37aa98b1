import { ResponsesStreamDecoder } from '#libs/payloads';
import { Stream } from 'openai/core/streaming';
import { failedResponse } from './failed-response.js';
import { requestIdOf, type CallLine, type Received } from './call-line.js';
import { truncatedStream } from './failure.js';
import { watchFirstByte } from './watch-first-byte.js';
import { translateError } from './translate-error.js';

/** After the last event a server closes the stream; waiting for that keeps the connection for the next call. */
const GRACE_MS = 100;

/** An answer that is shown while it grows. */
export async function receiveStream(line: CallLine, response: Response): Promise<Received> {
  const requestId = requestIdOf(response);
  const decoder = new ResponsesStreamDecoder();
  const patience = new Patience(line, decoder);
  const heard = watchFirstByte(response, () => {
    line.onAlive();
    patience.renew();
  });
  const events = Stream.fromSSEResponse<unknown>(heard, new AbortController(), line.client)[
    Symbol.asyncIterator
  ]();
  let eventCount = 0;
  while (decoder.ending === null) {
    let next: IteratorResult<unknown, unknown>;
    try {
      next = await events.next();
    } catch (error) {
      const { clock, secrets } = line;
      throw translateError(error, { phase: 'answer', now: clock.now(), requestId, secrets });
    }
    if (next.done === true) throw truncatedStream({ requestId });
    eventCount += 1;
    for (const delta of decoder.push(next.value)) {
      if (!line.watch.isStopped) line.onDelta(delta);
    }
    patience.renew();
  }
  await letEnd(events);
  if (decoder.ending.kind === 'failed') throw failedResponse(decoder.ending, requestId, line.secrets);
  return { answer: decoder.ending.answer, requestId, eventCount };
}

/** How long the stream may be silent after its first byte: longer while the model reasons. Starts anew with every event. */
class Patience {
  private wasReasoning: boolean | null = null;

  constructor(
    private readonly line: CallLine,
    private readonly decoder: ResponsesStreamDecoder,
  ) {}

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

/** Never fails: the answer is already known. */
async function letEnd(events: AsyncIterator<unknown>): Promise<void> {
  const grace = Promise.withResolvers<null>();
  const timer = setTimeout(grace.resolve, GRACE_MS, null);
  await Promise.race([grace.promise, events.next().catch(() => undefined)]);
  clearTimeout(timer);
}
