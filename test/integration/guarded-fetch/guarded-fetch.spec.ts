import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  AnswerBrokenOff,
  GuardedFetch,
  type GuardedRequest,
  type GuardedFetchOptions,
} from '#libs/guarded-fetch';
import { Receiver, type Behaviour } from '../webhooks/receiver.js';

const MAX_READ = 64 * 1_024;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const closable of open.splice(0)) await closable.close();
});

async function listen(behaviour: Behaviour): Promise<Receiver> {
  const receiver = await Receiver.listen((request, response, body) => {
    response.on('error', () => undefined);
    behaviour(request, response, body);
  });
  open.push(receiver);
  return receiver;
}

function guard(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const guarded = new GuardedFetch({ allowLoopback: true, ...options });
  open.push(guarded);
  return guarded;
}

const get = (receiver: Receiver, more: Partial<GuardedRequest> = {}): GuardedRequest => ({
  url: receiver.url,
  method: 'GET',
  headers: {},
  ...more,
});

describe('the body of an answer', () => {
  async function read(
    body: Buffer,
    headers: Record<string, string> = {},
    more: Partial<GuardedRequest> = {},
  ) {
    const receiver = await listen((_request, response) => response.writeHead(200, headers).end(body));
    const result = await guard().request(get(receiver, more));
    if (result.kind === 'unanswered') throw new Error(result.reason);
    return { isWhole: result.isWhole, body: Buffer.from(result.body) };
  }

  it('is the whole of it when it is short, byte for byte', async () => {
    const body = Buffer.from(Array.from({ length: MAX_READ }, (_, index) => index % 256));
    const answer = await read(body);
    expect(answer.isWhole).toBe(true);
    expect(answer.body.equals(body)).toBe(true);
  });

  it.each([MAX_READ + 1, 100 * MAX_READ])('is 64 kB of %i bytes, and says so', async (length) => {
    const answer = await read(Buffer.alloc(length, 'x'));
    expect(answer).toMatchObject({ isWhole: false, body: { length: MAX_READ } });
  });

  it.each([
    [10, 10, true],
    [9, 10, false],
    [0, 10, false],
    [1_000_000, 200_000, true],
  ])(
    'with a limit of %i bytes for this use, of %i bytes: whole %s',
    async (mostReadBytes, length, isWhole) => {
      const answer = await read(Buffer.alloc(length, 'x'), {}, { mostReadBytes });
      expect(answer).toMatchObject({ isWhole, body: { length: Math.min(length, mostReadBytes) } });
    },
  );

  it.each(['gzip', 'gzip, gzip'])(
    'is never decompressed: a bomb in %s stays as small as it came',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(32 * 1_024 * 1_024));
      const packed = encoding.split(', ').length > 1 ? gzipSync(bomb) : bomb;
      const { body } = await read(packed, { 'content-encoding': encoding });
      expect(body.equals(packed)).toBe(true);
      expect(body.length).toBeLessThan(MAX_READ);
    },
  );

  it('is what came until the other side broke off', async () => {
    const receiver = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.destroy());
    });
    const answer = await guard().request(get(receiver));
    expect(answer).toMatchObject({ kind: 'answered', statusCode: 200, isWhole: false });
  });
});

describe('the body of a request', () => {
  async function sent(body: GuardedRequest['body']) {
    const receiver = await listen((_request, response) => response.end());
    const result = await guard().request(
      get(receiver, { method: 'POST', ...(body !== undefined && { body }) }),
    );
    return { result, requests: receiver.requests };
  }

  it.each<[string, GuardedRequest['body'], string]>([
    ['a text', 'größer', 'größer'],
    ['nothing', undefined, ''],
  ])('is %s', async (_name, body, received) => {
    const { result, requests } = await sent(body);
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200 });
    expect(requests).toMatchObject([{ body: received }]);
  });
});

describe('a stream', () => {
  /** A server that sends headers and a first piece; the test continues the response. */
  async function begun(): Promise<{ receiver: Receiver; response: Promise<ServerResponse> }> {
    const reached = Promise.withResolvers<ServerResponse>();
    const receiver = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('first', () => reached.resolve(response));
    });
    return { receiver, response: reached.promise };
  }

  async function opened(receiver: Receiver, more: Partial<GuardedRequest> = {}) {
    const result = await guard().open(get(receiver, more));
    if (result.kind === 'unanswered') throw new Error(result.reason);
    return { ...result, pieces: result.body[Symbol.asyncIterator]() };
  }

  const text = (piece: IteratorResult<Uint8Array>) => Buffer.from(piece.value as Uint8Array).toString();

  it('is read piece by piece, while the other side still writes', async () => {
    const { receiver, response } = await begun();
    const { statusCode, headers, pieces } = await opened(receiver);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(text(await pieces.next())).toBe('first');
    (await response).write('second');
    expect(text(await pieces.next())).toBe('second');
    (await response).end();
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
  });

  it('ends with its limit, after exactly as many bytes', async () => {
    const { receiver, response } = await begun();
    const { pieces } = await opened(receiver, { mostReadBytes: 7 });
    expect(text(await pieces.next())).toBe('first');
    const closed = once(await response, 'close');
    (await response).write('second');
    expect(text(await pieces.next())).toBe('se');
    await expect(pieces.next()).rejects.toEqual(new AnswerBrokenOff('too_long'));
    await closed;
  });

  it.each<[string, AnswerBrokenOff['reason'], (response: ServerResponse, stop: AbortController) => void]>([
    ['the other side breaks off', 'connection_failed', (response) => response.destroy()],
    ['its caller does not want it any more', 'aborted', (_response, stop) => stop.abort()],
  ])('with an end since %s is reported so', async (_name, reason, end) => {
    const { receiver, response } = await begun();
    const stop = new AbortController();
    const { pieces } = await opened(receiver, { signal: stop.signal });
    await pieces.next();
    end(await response, stop);
    await expect(pieces.next()).rejects.toMatchObject({ name: 'AnswerBrokenOff', reason });
  });

  it('takes no longer than its use allows, from beginning to end', async () => {
    const { receiver } = await begun();
    const { pieces } = await opened(receiver, { timeoutMs: 2_000 });
    await pieces.next();
    await expect(pieces.next()).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('closes its connection when it is left early', async () => {
    const { receiver, response } = await begun();
    const { pieces } = await opened(receiver);
    const closed = once(await response, 'close');
    await pieces.next();
    await pieces.return?.();
    await closed;
  });
});

describe('a request', () => {
  it('is not made for a caller that has gone before', async () => {
    const receiver = await listen((_request, response) => response.end());
    const result = await guard().request(get(receiver, { signal: AbortSignal.abort() }));
    expect(result).toEqual({ kind: 'unanswered', reason: 'aborted' });
    expect(receiver.requests).toEqual([]);
  });

  it('waits for headers no longer than this use allows', async () => {
    const receiver = await listen(() => undefined);
    expect(await guard().request(get(receiver, { timeoutMs: 50 }))).toEqual({
      kind: 'unanswered',
      reason: 'timeout',
    });
  });
});
