import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callModel, shownText } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type Scene } from './scripted-provider.js';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(() => provider.stop());

const EVENTS = [scenes.CREATED, scenes.text('he'), scenes.text('llo'), scenes.COMPLETED]
  .map(scenes.frame)
  .join('');

const packed = (contentType: string, encoding: string, bytes: Uint8Array): Scene => {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType, 'content-encoding': encoding });
    response.end(bytes);
  };
};

describe('an answer compressed without a request for it', () => {
  it.each<[string, Uint8Array]>([
    ['gzip', gzipSync(EVENTS)],
    ['deflate', deflateSync(EVENTS)],
    ['br', brotliCompressSync(EVENTS)],
    ['zstd', zstdCompressSync(EVENTS)],
    ['deflate, gzip', gzipSync(deflateSync(EVENTS))],
  ])('is read as it was before: %s', async (encoding, bytes) => {
    provider.play(packed('text/event-stream', encoding, bytes));
    const outcome = await callModel({ baseUrl: provider.baseUrl });
    expect(outcome.error).toBeNull();
    expect(shownText(outcome)).toBe('hello');
    expect(provider.requests[0]?.headers['accept-encoding']).toBeUndefined();
  });

  it('is shown while it comes, not when it is whole', async () => {
    provider.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const packer = createGzip();
      packer.pipe(response);
      packer.write(EVENTS.slice(0, EVENTS.indexOf('llo')));
      packer.flush();
    });
    const caller = new AbortController();
    const outcome = await callModel({ baseUrl: provider.baseUrl }, {}, caller.signal, () => caller.abort());
    expect(outcome.error).toMatchObject({ reason: 'aborted' });
    expect(shownText(outcome)).toBe('he');
    await provider.requests[0]?.closed;
  });

  it('fails as a broken stream where it is not what it says', async () => {
    provider.play(packed('text/event-stream', 'gzip', new TextEncoder().encode(EVENTS)));
    const { error } = await callModel({ baseUrl: provider.baseUrl });
    expect(error).toMatchObject({ reason: 'truncated_stream', retryable: true });
  });

  it.each(['constructor', 'toString, identity', 'x-mine'])(
    'is read as it is where nothing unpacks %s',
    async (encoding) => {
      provider.play(packed('text/event-stream', encoding, new TextEncoder().encode(EVENTS)));
      expect(shownText(await callModel({ baseUrl: provider.baseUrl }))).toBe('hello');
    },
  );

  it('is not unpacked more than five times', async () => {
    const encoding = Array.from({ length: 6 }, () => 'gzip').join(', ');
    const bytes = Array.from({ length: 6 }).reduce<Uint8Array>(
      (inner) => gzipSync(inner),
      new TextEncoder().encode(EVENTS),
    );
    provider.play(packed('text/event-stream', encoding, bytes));
    expect((await callModel({ baseUrl: provider.baseUrl })).error).toMatchObject({ retryable: true });
  });

  it('is bounded by what it unpacks to', async () => {
    const line = Buffer.alloc(5 * 1_048_576, 'x');
    provider.play(packed('text/event-stream', 'gzip', gzipSync(line)));
    const { error } = await callModel({ baseUrl: provider.baseUrl });
    expect(error).toMatchObject({ reason: 'answer_too_large' });
  });
});

describe('an answer without a reader', () => {
  it.each<[string, number]>([
    ['a page that does not end', 200],
    ['a redirect whose page does not end', 307],
  ])('is closed: %s', async (_case, status) => {
    provider.play((response) => {
      response.writeHead(status, { 'content-type': 'text/html', location: 'http://127.0.0.1:9/' });
      response.write('<html>');
    });
    const options = { baseUrl: provider.baseUrl, timeoutMs: 500 };
    const { error } = await callModel(options, { parameters: { request_timeout_seconds: 1 } });
    expect(error).not.toBeNull();
    await provider.requests[0]?.closed;
  });
});
