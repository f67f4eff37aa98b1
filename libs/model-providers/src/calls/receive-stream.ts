import type { AnswerDecoder } from '../wire/model-calls/answer-decoder.js';
import type { ResponseEnding } from '../wire/model-calls/restored-answer.js';
import { failedResponse } from './failed-response.js';
import { pausedContent, type CallLine, type Received } from './call-line.js';
import { truncatedStream } from './failure.js';
import type { HttpAnswer } from './http-answer.js';
import { readEvents } from './read-events.js';
import { readRequestId } from './read-request-id.js';
import { translateError } from './translate-error.js';

/** Milliseconds to wait for the server to close the stream, which makes its connection reusable. */
const CLOSING_GRACE_MS = 100;
/** Maximum milliseconds to wait for the usage after a complete answer; without it the usage counts as unknown. */
const USAGE_GRACE_MS = 2_000;

/** Reads a streamed answer. */
export async function receiveStream(line: CallLine, response: HttpAnswer): Promise<Received> {
  const requestId = readRequestId(response);
  const decoder = line.protocol.openDecoder();
  const silence = new SilenceLimit(line, decoder);
  const parts = line.protocol.readEvents?.(response) ?? readEvents(response);
  let [eventCount, isSilent] = [0, true];
  let ending = decoder.ending;
  while (ending === null) {
    const part = await nextPart(parts, line, decoder, requestId);
    if (part === null) break;
    // Anything that comes shows that the server answers, even a comment.
    if (isSilent) {
      isSilent = false;
      line.onAlive();
      silence.renew();
    }
    for (const event of part) {
      eventCount += 1;
      for (const delta of decoder.push(event)) {
        if (!line.watch.isStopped) line.onDelta(delta);
      }
      silence.renew();
      ending = decoder.ending;
      if (ending !== null) break;
    }
  }
  ending ??= decoder.end();
  if (ending === null) throw truncatedStream(line.protocol.streamName, { requestId });
  await within(CLOSING_GRACE_MS, parts.next());
  return { ...toReceived(ending, requestId, line), eventCount };
}

/** The events that come next, or null at the end of the stream. After a complete answer, connection errors are ignored. */
async function nextPart(
  parts: AsyncIterator<Iterable<unknown>>,
  line: CallLine,
  { isWhole }: AnswerDecoder,
  requestId: string | null,
): Promise<Iterable<unknown> | null> {
  const grace = Math.min(USAGE_GRACE_MS, Math.floor(line.idleTimeoutMs / 2));
  try {
    const next = isWhole ? await within(grace, parts.next()) : await parts.next();
    return next === null || next.done === true ? null : eventsIn(next.value, line, requestId);
  } catch (error) {
    throw unreadable(error, line, requestId);
  }
}

function* eventsIn(
  part: Iterable<unknown>,
  line: CallLine,
  requestId: string | null,
): Generator<unknown, void, undefined> {
  try {
    yield* part;
  } catch (error) {
    throw unreadable(error, line, requestId);
  }
}

function unreadable(
  error: unknown,
  { clock, protocol: { streamName }, secrets }: CallLine,
  requestId: string | null,
): Error {
  return translateError(error, { phase: 'answer', streamName, now: clock.now(), requestId, secrets });
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
