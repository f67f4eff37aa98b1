import type { AnswerDecoder, ResponseEnding } from '#libs/payloads';
import { failedResponse } from './failed-response.js';
import { requestIdOf, type CallLine, type Received } from './call-line.js';
import { truncatedStream } from './failure.js';
import type { HttpAnswer } from './http-answer.js';
import { readEvents } from './read-events.js';
import { watchFirstByte } from './watch-first-byte.js';
import { translateError } from './translate-error.js';

/** After the last event a server closes the stream; waiting for that keeps the connection for the next call. */
const CLOSING_GRACE_MS = 100;
/** How long the usage of a whole answer is waited for: without it the answer still counts, and its usage is unknown. */
const USAGE_GRACE_MS = 2_000;

/** An answer that is shown while it grows. */
export async function receiveStream(line: CallLine, response: HttpAnswer): Promise<Received> {
  const requestId = requestIdOf(response);
  const decoder = line.protocol.openDecoder();
  const patience = new Patience(line, decoder);
  const heard = watchFirstByte(response, () => {
    line.onAlive();
    patience.renew();
  });
  const events = readEvents(heard);
  let eventCount = 0;
  while (decoder.ending === null) {
    const next = await nextEvent(events, line, decoder, requestId);
    if (next === null) break;
    eventCount += 1;
    for (const delta of decoder.push(next.event)) {
      if (!line.watch.isStopped) line.onDelta(delta);
    }
    patience.renew();
  }
  const ending = decoder.ending ?? decoder.end();
  if (ending === null) throw truncatedStream(line.protocol.streamName, { requestId });
  await within(CLOSING_GRACE_MS, events.next());
  return { ...toReceived(ending, requestId, line), eventCount };
}

/** Null when no event follows. Once the answer is whole, nothing that happens to the connection is held against it. */
async function nextEvent(
  events: AsyncIterator<unknown>,
  { clock, protocol, secrets, idleTimeoutMs }: CallLine,
  { isWhole }: AnswerDecoder,
  requestId: string | null,
): Promise<{ readonly event: unknown } | null> {
  const grace = Math.min(USAGE_GRACE_MS, Math.floor(idleTimeoutMs / 2));
  try {
    const next = isWhole ? await within(grace, events.next()) : await events.next();
    return next === null || next.done === true ? null : { event: next.value };
  } catch (error) {
    throw translateError(error, {
      phase: 'answer',
      streamName: protocol.streamName,
      now: clock.now(),
      requestId,
      secrets,
    });
  }
}

function toReceived(
  ending: ResponseEnding,
  requestId: string | null,
  line: CallLine,
): Pick<Received, 'answer' | 'requestId'> {
  if (ending.kind === 'failed') throw failedResponse(ending, requestId, line);
  return { answer: ending.answer, requestId };
}

/** How long the stream may be silent after its first byte: longer while the model reasons. Starts anew with every event. */
class Patience {
  private wasReasoning: boolean | null = null;

  constructor(
    private readonly line: CallLine,
    private readonly decoder: AnswerDecoder,
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

/** What comes within `ms`, else null; never fails. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const grace = Promise.withResolvers<null>();
  const timer = setTimeout(grace.resolve, ms, null);
  const outcome = await Promise.race([grace.promise, work.catch(() => null)]);
  clearTimeout(timer);
  return outcome;
}
