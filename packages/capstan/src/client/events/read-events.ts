import { EventParser, type WireEvent } from './event-parser.js';

/** A connection that says nothing for longer than this is lost: the service sends a heartbeat every 10 seconds. */
const MAX_SILENCE_MS = 45_000;

/** Events of an answer until it ends, breaks off or falls silent; all three are resumed alike, so that none is an error. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onRetry: (ms: number) => void,
): AsyncGenerator<WireEvent, void, undefined> {
  const reader = body.getReader();
  const parser = new EventParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const piece = await unlessSilent(reader.read());
      if (piece === null || piece.done) return;
      const events = parser.push(decoder.decode(piece.value, { stream: true }));
      if (parser.retryMs !== null) onRetry(parser.retryMs);
      yield* events;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Null after a silence, and for a connection that breaks. */
function unlessSilent<T>(reading: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), MAX_SILENCE_MS);
    const end = (value: T | null): void => {
      clearTimeout(timer);
      resolve(value);
    };
    reading.then(end, () => end(null));
  });
}
