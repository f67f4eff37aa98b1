import { HttpAnswer } from './http-answer.js';

/** The parts of a streamed answer that are read. */
type Streamed = Pick<HttpAnswer, 'url' | 'status' | 'headers' | 'body'>;

/** The same answer; calls `onFirstByte` on the first byte of its body, even of a keep-alive comment. */
export function watchFirstByte(answer: Streamed, onFirstByte: () => void): HttpAnswer {
  const { url, status, headers, body } = answer;
  return new HttpAnswer(url, status, headers, body === null ? null : watched(body, onFirstByte));
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  onFirstByte: () => void,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of body) {
    if (isFirst) onFirstByte();
    isFirst = false;
    yield piece;
  }
}
