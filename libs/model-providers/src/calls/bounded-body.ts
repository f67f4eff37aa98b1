/** Maximum bytes of one answer after decompression. */
export const MAX_ANSWER_BYTES = 20 * 1_024 * 1_024;
/** Maximum bytes of one line of an event stream, which the client buffers as a whole. */
export const MAX_LINE_BYTES = 4 * 1_024 * 1_024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The answer exceeds the size limit; the rest is not read. */
export class AnswerTooLarge extends Error {
  constructor(readonly limit: 'answer' | 'line') {
    super(`the ${limit} is too large`);
  }
}

/**
 * Limits a body: throws `AnswerTooLarge` as soon as it exceeds a limit. Bytes are counted before the client buffers
 * them, so that a broken or hostile server costs bounded memory.
 *
 * @param isOneLine true for JSON, which may be a single line; false for event streams
 */
export async function* boundBody(
  body: AsyncIterable<Uint8Array>,
  isOneLine: boolean,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  let line = 0;
  for await (const piece of body) {
    total += piece.byteLength;
    if (total > MAX_ANSWER_BYTES) throw new AnswerTooLarge('answer');
    const lineEnd = Math.max(piece.lastIndexOf(NEWLINE), piece.lastIndexOf(CARRIAGE_RETURN));
    line = lineEnd === -1 ? line + piece.byteLength : piece.byteLength - lineEnd - 1;
    if (!isOneLine && line > MAX_LINE_BYTES) throw new AnswerTooLarge('line');
    yield piece;
  }
}
