import { TransformStream, type Transformer } from 'node:stream/web';
import { Response } from 'undici';

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
 * The same response, whose body breaks off with `AnswerTooLarge` as soon as it exceeds its limits. Bytes are counted before
 * the client puts them together, so that a broken or hostile server costs a bounded amount of memory.
 */
export function boundBody(response: Response): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(new TransformStream(counter(isOnePiece(response)))), {
    status,
    statusText,
    headers,
  });
}

/** JSON may stand in a single line; a stream of events may not. */
function isOnePiece(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').toLowerCase().includes('json');
}

function counter(isOneLine: boolean): Transformer<Uint8Array, Uint8Array> {
  let total = 0;
  let line = 0;
  return {
    transform(chunk, controller) {
      total += chunk.byteLength;
      if (total > MAX_ANSWER_BYTES) throw new AnswerTooLarge('answer');
      const lineEnd = Math.max(chunk.lastIndexOf(NEWLINE), chunk.lastIndexOf(CARRIAGE_RETURN));
      line = lineEnd === -1 ? line + chunk.byteLength : chunk.byteLength - lineEnd - 1;
      if (!isOneLine && line > MAX_LINE_BYTES) throw new AnswerTooLarge('line');
      controller.enqueue(chunk);
    },
  };
}
