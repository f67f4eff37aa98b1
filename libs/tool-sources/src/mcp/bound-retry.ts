/**
 * How soon, and how late, a server may have us come back to a stream that it has ended, in milliseconds. The library takes
 * any number: at 0 it asks again and again, and while it waits it keeps what belongs to the stream, closed or not.
 */
export const RETRY_BOUNDS = { atLeast: 200, atMost: 30_000 } as const;

const FIELD = 'retry:';
/** Characters of a line that may be such a field; one with more becomes a comment. */
const MOST_HELD = 64;

/** The same answer; where it is a stream of events, their `retry` is bounded. */
export function withBoundedRetry(answer: Response): Response {
  const isEvents = answer.headers.get('content-type')?.toLowerCase().includes('text/event-stream') === true;
  if (answer.body === null || !isEvents) return answer;
  const { status, statusText, headers } = answer;
  return new Response(ReadableStream.from(boundRetry(answer.body)), { status, statusText, headers });
}

/**
 * The same events, as bytes, with every `retry` (HTML Living Standard, 9.2.6) brought within {@link RETRY_BOUNDS}. Nothing
 * else changes, and nothing is held back but the beginning of a line that may turn out to be such a field.
 */
export async function* boundRetry(events: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = '';
  let isWithinLine = false;
  for await (const chunk of events) {
    // One character for each byte.
    const text: string = held + Buffer.from(chunk).toString('latin1');
    held = '';
    let passed = '';
    for (const part of text.split(/(?<=[\r\n])/)) {
      const isEnded = /[\r\n]$/.test(part);
      const mayBe = !isWithinLine && mayBeField(part);
      if (mayBe && !isEnded && part.length <= MOST_HELD) held = part;
      else {
        passed += mayBe ? bounded(part) : part;
        isWithinLine = !isEnded;
      }
    }
    yield Buffer.from(passed, 'latin1');
  }
  yield Buffer.from(bounded(held), 'latin1');
}

/** Readers drop a mark of the byte order in front of the first line. */
const MARKS = /^[\xef\xbb\xbf]*/;

function mayBeField(line: string): boolean {
  const begun = line.replace(MARKS, '').slice(0, FIELD.length);
  return FIELD.startsWith(begun);
}

function bounded(line: string): string {
  if (line.length > MOST_HELD) return `:${line}`;
  return line.replace(/(?<=retry: ?)\d+(?=[\r\n]*$)/, (ms) => String(within(Number(ms))));
}

function within(ms: number): number {
  return Math.min(Math.max(ms, RETRY_BOUNDS.atLeast), RETRY_BOUNDS.atMost);
}
