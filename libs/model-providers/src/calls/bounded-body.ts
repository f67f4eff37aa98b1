/** Bytes of one answer, as they are read: unpacked, before anything is made of them. */
export const MAX_ANSWER_BYTES = 20 * 1_024 * 1_024;
/** Bytes of one line of an event stream, which the client has to hold as a whole. */
export const MAX_LINE_BYTES = 4 * 1_024 * 1_024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The provider sent more than an answer can be; what is left of it is not read. */
export class AnswerTooLarge extends Error {
  constructor(readonly limit: 'answer' | 'line') {
    super(`the ${limit} is too large`);
  }
}

/**
 * The same body, which breaks off with `AnswerTooLarge` as soon as it exceeds its limits. Bytes are counted before the
 * client puts them together, so that a broken or hostile server costs a bounded amount of memory.
 * @param isOneLine JSON may stand in a single line; a stream of events may not
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
