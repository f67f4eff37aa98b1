import type { AnswerDecoder } from '../wire/model-calls/answer-decoder.js';
import type { ResponseEnding } from '../wire/model-calls/restored-answer.js';
import { failedResponse } from './failed-response.js';
import { pausedContent, requestIdOf, type CallLine, type Received } from './call-line.js';
import { truncatedStream } from './failure.js';
import type { HttpAnswer } from './http-answer.js';
import { readEvents } from './read-events.js';
import { watchFirstByte } from './watch-first-byte.js';
import { translateError } from './translate-error.js';

/** Milliseconds to wait for the server to close the stream, which makes its connection reusable. */
const CLOSING_GRACE_MS = 100;
/** Maximum milliseconds to wait for the usage after a complete answer; without it the usage counts as unknown. */
const USAGE_GRACE_MS = 2_000;

/** Reads a streamed answer. */
export async function receiveStream(line: CallLine, response: HttpAnswer): Promise<Received> {
  const requestId = requestIdOf(response);
  const decoder = line.protocol.openDecoder();
  const silence = new SilenceLimit(line, decoder);
  const heard = watchFirstByte(response, () => {
    line.onAlive();
    silence.renew();
  });
  const events = line.protocol.readEvents?.(heard) ?? readEvents(heard);
  let eventCount = 0;
  while (decoder.ending === null) {
    const next = await nextEvent(events, line, decoder, requestId);
    if (next === null) break;
    eventCount += 1;
    for (const delta of decoder.push(next.event)) {
      if (!line.watch.isStopped) line.onDelta(delta);
    }
    silence.renew();
  }
  const ending = decoder.ending ?? decoder.end();
  if (ending === null) throw truncatedStream(line.protocol.streamName, { requestId });
  await within(CLOSING_GRACE_MS, events.next());
  return { ...toReceived(ending, requestId, line), eventCount };
}

/** The next event, or null at the end of the stream. After a complete answer, connection errors are ignored. */
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
): Omit<Received, 'eventCount'> {
  if (ending.kind === 'failed') throw failedResponse(ending, requestId, line);
  return { answer: ending.answer, requestId, paused: pausedContent(ending) };
}

/** Idle timeout of a stream after its first byte, restarted by every event; longer while the model reasons. */
class SilenceLimit {
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

/** Result of `work` if it succeeds within `ms` milliseconds, else null. Never rejects. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const grace = Promise.withResolvers<null>();
  const timer = setTimeout(grace.resolve, ms, null);
  const outcome = await Promise.race([grace.promise, work.catch(() => null)]);
  clearTimeout(timer);
  return outcome;
}
