import { describe, expect, it } from '@jest/globals';
import { HttpAnswer } from './http-answer.js';
import { watchFirstByte } from './watch-first-byte.js';

async function* piecesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield* texts.map((text) => new TextEncoder().encode(text));
}

const streamOf = (...texts: string[]): HttpAnswer =>
  new HttpAnswer('http://any/', 200, new Headers(), piecesOf(...texts));

describe('watchFirstByte', () => {
  it('calls back once, as soon as anything comes: a comment will do', async () => {
    let reported = 0;
    const watched = watchFirstByte(streamOf(': thinking\n\n', 'data: {}\n\n'), () => (reported += 1));
    expect(reported).toBe(0);
    expect(await watched.text()).toBe(': thinking\n\ndata: {}\n\n');
    expect(reported).toBe(1);
  });

  it('keeps quiet where nothing comes', async () => {
    let reported = 0;
    expect(await watchFirstByte(streamOf(), () => (reported += 1)).text()).toBe('');
    expect(reported).toBe(0);
  });
});
