import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  GuardedClient,
  NoAnswerError,
  type GuardedClientOptions,
  type GuardedFetchLikeOptions,
  type PrivateHost,
} from '#libs/guarded-fetch';
import { HOSTILE_HOSTS, HOSTILE_URLS, REDIRECTS } from '../../support/hostile-addresses.js';
import { Receiver, type Behaviour } from '../webhooks/receiver.js';

const TENANT = 'acme';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const closable of open.splice(0)) await closable.close();
});

async function listen(behaviour: Behaviour, host = '127.0.0.2'): Promise<Receiver> {
  const receiver = await Receiver.listen(behaviour, undefined, host);
  open.push(receiver);
  return receiver;
}

const at = (receiver: Receiver, host = '127.0.0.2'): string => `http://${host}:${receiver.port}/`;
const named = (receiver: Receiver, tenantId: string | null = null, host = '127.0.0.2'): PrivateHost => ({
  tenantId,
  host,
  port: receiver.port,
});

function client(options: Partial<GuardedClientOptions> = {}): GuardedClient {
  const made = new GuardedClient({ allowLoopback: false, privateHosts: [], ...options });
  open.push(made);
  return made;
}

const fetchTo = (receiver: Receiver, options: Partial<GuardedFetchLikeOptions> = {}): typeof fetch =>
  client({ privateHosts: [named(receiver)] }).fetchFor({ tenantId: TENANT, ...options });

const failure = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    (answer) => answer,
    (error: unknown) => error,
  );

const BLOCKED = { name: 'NoAnswerError', reason: 'blocked_address', code: 'FETCH_NOT_SENT' };

describe('a tool server at a forbidden address', () => {
  const answering = (address: string): LookupFunction => {
    return (_name, _options, callback) =>
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };

  async function canary(): Promise<Receiver> {
    return listen((_request, response) => response.end('should never be asked'), '127.0.0.1');
  }

  it.each(HOSTILE_HOSTS)('%s is never connected to', async (host) => {
    const trap = await canary();
    const call = client().fetchFor({ tenantId: TENANT });
    expect(await failure(call(`http://${host}:${trap.port}/`))).toMatchObject(BLOCKED);
    expect(await failure(call(`https://${host}:${trap.port}/`))).toMatchObject(BLOCKED);
    expect(trap.connections).toBe(0);
  });

  it.each(HOSTILE_URLS)('%j is no address of one', async (url) => {
    const call = client().fetchFor({ tenantId: TENANT });
    expect(await failure(call(url))).toMatchObject({ reason: 'invalid_url', mayHaveBeenSent: false });
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'fd00:ec2::254'])(
    'a name that leads to %s is not connected to, and is looked up each time (W7)',
    async (address) => {
      const trap = await canary();
      const call = client({ lookup: answering(address) }).fetchFor({ tenantId: TENANT });
      expect(await failure(call(`http://tools.example:${trap.port}/`))).toMatchObject(BLOCKED);
      expect(trap.connections).toBe(0);
    },
  );

  it.each(REDIRECTS)('a redirect %i to it is not followed there', async (status) => {
    const trap = await canary();
    const server = await listen((_request, response) => {
      response.writeHead(status, { location: at(trap, '127.0.0.1') }).end();
    });
    const call = fetchTo(server);
    expect(await failure(call(at(server)))).toMatchObject({
      reason: 'blocked_address',
      code: 'FETCH_IN_VAIN',
    });
    expect(server.requests).toHaveLength(1);
    expect(trap.connections).toBe(0);
  });

  it('an address that the operator has named may lead there, but to no metadata service', async () => {
    const server = await listen((_request, response) => response.end('inside'), '127.0.0.1');
    const privateHosts = [named(server, null, 'tools.internal')];
    const inside = client({ privateHosts, lookup: answering('127.0.0.1') }).fetchFor({ tenantId: TENANT });
    expect(await (await inside(at(server, 'tools.internal'))).text()).toBe('inside');
    const metadata = client({ privateHosts, lookup: answering('169.254.169.254') });
    expect(
      await failure(metadata.fetchFor({ tenantId: TENANT })(at(server, 'tools.internal'))),
    ).toMatchObject(BLOCKED);
  });

  it('is forbidden for one tenant and allowed for another, also over an open connection', async () => {
    const server = await listen((_request, response) => response.end('inside'));
    const both = client({ privateHosts: [named(server, TENANT)] });
    expect(await (await both.fetchFor({ tenantId: TENANT })(at(server))).text()).toBe('inside');
    expect(await failure(both.fetchFor({ tenantId: 'globex' })(at(server)))).toMatchObject(BLOCKED);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a redirect', () => {
  it('to another origin carries no credential, in any header', async () => {
    const other = await listen((_request, response) => response.end('there'), '127.0.0.3');
    const server = await listen((_request, response) => {
      response.writeHead(302, { location: at(other, '127.0.0.3') }).end();
    });
    const privateHosts = [named(server), named(other, null, '127.0.0.3')];
    const call = client({ privateHosts }).fetchFor({ tenantId: TENANT });
    const headers = { authorization: 'Bearer secret', 'x-key': 'secret', accept: 'text/plain' };
    const answer = await call(at(server), { headers });
    expect([await answer.text(), answer.redirected, answer.url]).toEqual([
      'there',
      true,
      at(other, '127.0.0.3'),
    ]);
    expect(server.requests[0]?.headers).toMatchObject(headers);
    expect(other.requests[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(JSON.stringify(other.requests)).not.toContain('secret');
  });

  it.each([
    ['too many of them', {}, { mostRedirects: 3 }, 4],
    ['one that the caller does not want', { redirect: 'error' as const }, {}, 1],
  ])('%s: no answer', async (_name, init, options, requests) => {
    const server = await listen((_request, response) => response.writeHead(302, { location: '/' }).end());
    expect(await failure(fetchTo(server, options)(at(server), init))).toMatchObject({
      reason: 'refused_redirect',
    });
    expect(server.requests).toHaveLength(requests);
  });

  it.each([
    ['where none may be followed', {}, { mostRedirects: 0 }],
    ['where the caller looks itself', { redirect: 'manual' as const }, {}],
  ])('is the answer %s', async (_name, init, options) => {
    const server = await listen((_request, response) => response.writeHead(302, { location: '/x' }).end());
    const answer = await fetchTo(server, options)(at(server), init);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/x']);
  });
});

describe('the fetch of a tool server', () => {
  it('answers with the headers, and with the body as it comes', async () => {
    const sent: { end?: () => void } = {};
    const server = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      sent.end = () => response.end('data: 2\n\n');
    });
    const answer = await fetchTo(server)(at(server));
    const reader = bodyOf(answer).pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader.read()).toEqual({ done: false, value: 'data: 1\n\n' });
    sent.end?.();
    expect(await reader.read()).toEqual({ done: false, value: 'data: 2\n\n' });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it('ends a body with its signal, with what that says', async () => {
    const server = await listen((_request, response) => void response.writeHead(200).write('1'));
    const stop = new AbortController();
    const answer = await fetchTo(server)(at(server), { signal: stop.signal });
    const reader = bodyOf(answer).getReader();
    await reader.read();
    const reason = new Error('the call has to stop');
    stop.abort(reason);
    expect(await failure(reader.read())).toBe(reason);
  });

  it.each([
    ['of plain bytes', {}, (text: string) => Buffer.from(text)],
    ['that were compressed', { 'content-encoding': 'gzip' }, (text: string) => gzipSync(text)],
  ])('reads no more than allowed %s', async (_name, headers, encode) => {
    const server = await listen((request, response) => {
      const length = request.url === '/short' ? 1_000 : 1_000_000;
      response.writeHead(200, headers).end(encode('x'.repeat(length)));
    });
    const call = fetchTo(server, { mostReadBytes: 1_000 });
    expect(await (await call(`${at(server)}short`)).text()).toBe('x'.repeat(1_000));
    expect(await failure((await call(at(server))).text())).toMatchObject({ reason: 'too_long' });
  });

  it('gives what must not be repeated a connection of its own, and keeps the others', async () => {
    const server = await listen((_request, response) => response.end('ok'));
    const one = client({ privateHosts: [named(server)], connectionsPerOrigin: 1 });
    const needsOwnConnection = (_url: URL, init?: RequestInit): boolean => init?.method === 'POST';
    const call = one.fetchFor({ tenantId: TENANT, needsOwnConnection });
    const ask = async (method: string): Promise<string> => (await call(at(server), { method })).text();
    await ask('GET');
    await ask('GET');
    expect(server.connections).toBe(1);
    await ask('POST');
    await ask('POST');
    expect(server.connections).toBe(3);
    await ask('GET');
    expect(server.connections).toBe(3);
  });

  it.each<[string, string, Behaviour]>([
    ['nothing', 'FETCH_BROKE_OFF', (request) => void request.socket.destroy()],
    ['what is no HTTP', 'FETCH_IN_VAIN', (request) => void request.socket.end('what?')],
  ])('says that a server may have acted that answers %s', async (_name, code, behaviour) => {
    const server = await listen(behaviour);
    const error = await failure(fetchTo(server)(at(server), { method: 'POST', body: 'b' }));
    expect(error).toMatchObject({ mayHaveBeenSent: true, code });
  });

  it('reports a server as not reached without a listener', async () => {
    const server = await listen(() => undefined);
    const [call, url] = [fetchTo(server), at(server)];
    await server.close();
    open.splice(open.indexOf(server), 1);
    expect(await failure(call(url, { method: 'POST', body: 'b' }))).toMatchObject({
      reason: 'connection_failed',
      mayHaveBeenSent: false,
      code: 'FETCH_NOT_REACHED',
    });
  });

  it('says nothing of a secret that cannot be sent', async () => {
    const server = await listen(() => undefined);
    const headers = { authorization: 'Bearer se\r\ncret' };
    const error = await failure(fetchTo(server)(at(server), { headers }));
    expect(error).toBeInstanceOf(TypeError);
    expect(String((error as Error).stack)).not.toContain('cret');
    expect(error).not.toHaveProperty('cause');
    expect(server.connections).toBe(0);
  });

  it.each<[string, () => NonNullable<RequestInit['body']>, RegExp, RegExp]>([
    ['a text', () => 'ü', /^text\/plain/, /^ü$/],
    ['a form', () => new URLSearchParams({ a: 'b c' }), /^application\/x-www-form-urlencoded/, /^a=b\+c$/],
    ['parts', () => parts(), /^multipart\/form-data; boundary=/, /name="a"\r\n\r\nb\r\n/],
    ['bytes', () => new Uint8Array([65, 66]), /^undefined$/, /^AB$/],
  ])('sends %s', async (_name, body, type, text) => {
    const server = await listen((_request, response) => response.writeHead(204).end());
    const answer = await fetchTo(server)(at(server), { method: 'POST', body: body() });
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(server.requests[0]?.body).toMatch(text);
    expect(String(server.requests[0]?.headers['content-type'])).toMatch(type);
  });

  it('is not asked anything once its signal has aborted', async () => {
    const server = await listen((_request, response) => response.end());
    const reason = new Error('too late');
    expect(await failure(fetchTo(server)(at(server), { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.connections).toBe(0);
  });

  it('answers nothing once it is closed', async () => {
    const server = await listen((_request, response) => response.end());
    const closed = client({ privateHosts: [named(server)] });
    const call = closed.fetchFor({ tenantId: TENANT });
    await closed.close();
    expect(await failure(call(at(server)))).toBeInstanceOf(NoAnswerError);
  });
});

function bodyOf(answer: Response): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (answer.body === null) throw new Error('it has no body');
  return answer.body;
}

function parts(): FormData {
  const form = new FormData();
  form.append('a', 'b');
  return form;
}
