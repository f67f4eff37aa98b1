import { describe, expect, it } from '@jest/globals';
import { Dispatcher } from 'undici';
import { exchange, type HttpRequest } from './http-exchange.js';

/** A dispatcher whose connection is the test. */
class ByHand extends Dispatcher {
  readonly sent: Dispatcher.DispatchOptions[] = [];
  readonly aborted: Error[] = [];
  handler: Dispatcher.DispatchHandler = {};
  readonly connection: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: null,
    rawTrailers: null,
    pause: () => undefined,
    resume: () => undefined,
    abort: (reason) => void this.aborted.push(reason),
  };

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.sent.push(options);
    this.handler = handler;
    return true;
  }

  /** The connection exists, and the request is written. */
  begin(): void {
    this.handler.onRequestStart?.(this.connection, null);
  }

  head(status: number, headers: Record<string, string | string[]> = {}): void {
    this.handler.onResponseStart?.(this.connection, status, headers);
  }

  end(): void {
    this.handler.onResponseEnd?.(this.connection, {});
  }

  break(error: Error): void {
    this.handler.onResponseError?.(this.connection, error);
  }
}

const REQUEST: HttpRequest = {
  url: 'https://a.example:8443/v1/x?y=z#part',
  method: 'POST',
  headers: { accept: 'a/b' },
  body: 'text',
};

/** A request under way, and what stops it. */
function asked(request: Partial<HttpRequest> = {}) {
  const server = new ByHand();
  const stop = new AbortController();
  return { server, stop, answer: exchange(server, { ...REQUEST, ...request }, stop.signal) };
}

const REASON = new Error('stopped');

describe('a request', () => {
  it('is sent to the origin and the path of its address', () => {
    expect(asked().server.sent).toEqual([
      {
        ...{ origin: 'https://a.example:8443', path: '/v1/x?y=z', method: 'POST' },
        ...{ headers: { accept: 'a/b' }, body: 'text' },
      },
    ]);
  });

  it('limits the silence before and within the answer', () => {
    expect(asked({ silenceMs: 7 }).server.sent).toMatchObject([{ headersTimeout: 7, bodyTimeout: 7 }]);
  });

  it('is not sent once it is stopped', async () => {
    const server = new ByHand();
    await expect(exchange(server, REQUEST, AbortSignal.abort(REASON))).rejects.toBe(REASON);
    expect(server.sent).toEqual([]);
  });

  it('fails at once if it is stopped while it waits for a connection, and is aborted once it has one', async () => {
    const { server, stop, answer } = asked();
    stop.abort(REASON);
    await expect(answer).rejects.toBe(REASON);
    server.begin();
    expect(server.aborted).toEqual([REASON]);
  });

  it('fails with the error of its connection', async () => {
    const { server, answer } = asked();
    server.break(REASON);
    await expect(answer).rejects.toBe(REASON);
  });
});

describe('an answer', () => {
  it('is there at its headers, after the informational ones', async () => {
    const { server, answer } = asked();
    server.begin();
    server.head(103, { link: '/early' });
    server.head(200, { 'x-id': ['1', '2'] });
    expect(await answer).toMatchObject({ status: 200, headers: { 'x-id': ['1', '2'] } });
  });

  it.each<[string, (server: ByHand, stop: AbortController) => void, Error[]]>([
    ['its request is stopped', (_server, stop) => stop.abort(REASON), [REASON]],
    ['its connection breaks', (server) => server.break(REASON), []],
  ])('breaks off when %s', async (_name, end, aborted) => {
    const { server, stop, answer } = asked();
    server.begin();
    server.head(200);
    const { body } = await answer;
    end(server, stop);
    await expect(body.next()).rejects.toBe(REASON);
    expect(server.aborted).toEqual(aborted);
  });

  it('is left alone by a stop once it is whole', async () => {
    const { server, stop, answer } = asked();
    server.begin();
    server.head(200);
    server.end();
    stop.abort(REASON);
    expect(await (await answer).body.next()).toEqual({ done: true, value: undefined });
    expect(server.aborted).toEqual([]);
  });
});
