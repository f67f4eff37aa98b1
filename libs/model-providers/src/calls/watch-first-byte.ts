import { HttpAnswer } from './http-answer.js';

/** What is read of an answer that is a stream. */
type Streamed = Pick<HttpAnswer, 'url' | 'status' | 'headers' | 'body'>;

/** The same answer; `onFirstByte` is called when its body begins, even with a comment that keeps the line open. */
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
