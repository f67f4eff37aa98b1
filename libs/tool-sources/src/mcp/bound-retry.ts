/**
 * Limits of the reconnection delay that a server may set, in milliseconds. The library accepts any value: at 0 it
 * reconnects in a busy loop, and during a long delay it keeps the stream's resources, even after closing.
 */
export const RETRY_BOUNDS = { atLeast: 200, atMost: 30_000 } as const;

const FIELD = 'retry:';
/** Maximum characters of a possible `retry` field; longer lines become comments. */
const MAX_HELD = 64;

/** Bounds the `retry` fields of an event stream; other answers stay unchanged. */
export function withBoundedRetry(answer: Response): Response {
  const isEvents = answer.headers.get('content-type')?.toLowerCase().includes('text/event-stream') === true;
  if (answer.body === null || !isEvents) return answer;
  const { status, statusText, headers } = answer;
  return new Response(ReadableStream.from(boundRetry(answer.body)), { status, statusText, headers });
}

/**
 * Passes events on as bytes, with every `retry` (HTML Living Standard, 9.2.6) clamped to {@link RETRY_BOUNDS}. Only the
 * beginning of a possible `retry` line is held back.
 */
export async function* boundRetry(events: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = '';
  let isWithinLine = false;
  for await (const chunk of events) {
    // Latin-1 maps each byte to one character.
    const text: string = held + Buffer.from(chunk).toString('latin1');
    held = '';
    let passed = '';
    for (const part of text.split(/(?<=[\r\n])/)) {
      const isEnded = /[\r\n]$/.test(part);
      const mayBe = !isWithinLine && mayBeField(part);
      if (mayBe && !isEnded && part.length <= MAX_HELD) held = part;
      else {
        passed += mayBe ? bounded(part) : part;
        isWithinLine = !isEnded;
      }
    }
    yield Buffer.from(passed, 'latin1');
  }
  yield Buffer.from(bounded(held), 'latin1');
}

/** Readers skip a byte order mark before the first line. */
const MARKS = /^[\xef\xbb\xbf]*/;

function mayBeField(line: string): boolean {
  const begun = line.replace(MARKS, '').slice(0, FIELD.length);
  return FIELD.startsWith(begun);
}

function bounded(line: string): string {
  if (line.length > MAX_HELD) return `:${line}`;
  return line.replace(/(?<=retry: ?)\d+(?=[\r\n]*$)/, (ms) => String(within(Number(ms))));
}

function within(ms: number): number {
  return Math.min(Math.max(ms, RETRY_BOUNDS.atLeast), RETRY_BOUNDS.atMost);
}
