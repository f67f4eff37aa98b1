import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { boundRetry, withBoundedRetry } from './bound-retry.js';

async function* inPieces(whole: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += length) yield await Promise.resolve(whole.slice(at, at + length));
}

const passed = (events: string, length: number): Promise<string> =>
  text(ReadableStream.from(boundRetry(inPieces(Buffer.from(events), length))));

/** The reconnection delays that the library's parser reads. */
async function retriesOf(events: string, length: number): Promise<number[]> {
  const seen: number[] = [];
  const bytes = ReadableStream.from(boundRetry(inPieces(Buffer.from(events), length)));
  const parsed = bytes
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onRetry: (ms) => void seen.push(ms) }));
  for await (const event of parsed) expect(event.data).toBe('{}');
  return seen;
}

describe.each([1, 2, 5, 1_000])('events in pieces of %i bytes', (length) => {
  it.each<[string, number[]]>([
    ['retry: 0\ndata: {}\n\n', [200]],
    ['retry:0\n\n', [200]],
    ['id: 1\nretry: 5000\ndata: {}\n\n', [5_000]],
    ['retry: 86400000\r\ndata: {}\r\n\r\n', [30_000]],
    ['retry: 99999999999999999999\r\r', [30_000]],
    ['\ufeffretry: 0\n\n', [200]],
    ['retry: 000000000000000000000000000007\n\n', [200]],
    [`retry: ${'0'.repeat(100)}\n\n`, []],
    [`retry: ${'9'.repeat(5_000)}\ndata: {}\n\n`, []],
    ['retry: soon\n\n', []],
    ['retry\n\n', []],
    ['retry: 0\n\nretry: 3600000\ndata: {}\n\nretry: 0\n\n', [200, 30_000, 200]],
  ])('wait as long as we let them: %j', async (events, waits) => {
    expect(await retriesOf(events, length)).toEqual(waits);
  });

  it.each([
    'data: retry: 0\n\n',
    ': retry: 0\n\n',
    'data: ä€😀\r\nid: 7\n\n',
    'retrying: 0\n',
    'xretry: 0\n',
    're',
  ])('are otherwise as they were: %j', async (events) => {
    expect(await passed(events, length)).toBe(events);
  });
});

it('leaves alone what is no stream of events', async () => {
  const answer = new Response('retry: 0\n', { headers: { 'content-type': 'text/plain' } });
  expect(withBoundedRetry(answer)).toBe(answer);
  expect(
    await withBoundedRetry(
      new Response('retry: 0\n', { headers: { 'content-type': 'text/event-stream' } }),
    ).text(),
  ).toBe('retry: 200\n');
});
