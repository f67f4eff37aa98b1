import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { json, problem, scriptedFetch } from '../../fakes/scripted-fetch.js';
import { Capstan } from './capstan.js';
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from './errors.js';

const GONE = new TypeError('fetch failed');

/** Lets every pause pass at once. */
async function settled<T>(asked: PromiseLike<T>): Promise<T> {
  const result = Promise.resolve(asked);
  result.catch(() => undefined);
  await jest.advanceTimersByTimeAsync(600_000);
  return result;
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a request', () => {
  it('carries the key of the client and a new key of its own for each call', async () => {
    const { fetch, sent } = scriptedFetch(json({ id: 1 }), json({ id: 2 }));
    const capstan = new Capstan({ apiKey: 'cap_1', baseUrl: 'https://capstan.example/base/', fetch });
    await settled(capstan.agents.create({ name: 'a' } as never));
    await settled(capstan.agents.create({ name: 'b' } as never));
    expect(sent.map(({ url }) => url)).toEqual(Array(2).fill('https://capstan.example/base/api/agents/'));
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer cap_1');
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toMatch(/^[\w-]{32,36}$/);
  });

  it('is repeated under the same key until it is answered', async () => {
    const { fetch, sent } = scriptedFetch(
      GONE,
      problem(503, 'UNAVAILABLE'),
      json({ id: 1 }, 201, { 'idempotency-replayed': 'true' }),
    );
    const answer = await settled(new Capstan({ fetch }).agents.create({ name: 'a' } as never).withResponse());
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(answer).toMatchObject({ data: { id: 1 }, requestId: 'r-1', isReplayed: true });
  });

  it('takes the key of the caller, and none where nothing is posted', async () => {
    const { fetch, sent } = scriptedFetch(GONE, json({}), json({}), json({}));
    const { agents, executions } = new Capstan({ fetch });
    await settled(executions.cancel('e1', { idempotencyKey: 'mine' }));
    await settled(agents.get(1));
    await settled(agents.update(1, {}));
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual(['mine', 'mine', null, null]);
  });

  it('fails with the last error once the tries are used up', async () => {
    const { fetch, sent } = scriptedFetch(GONE, GONE, problem(500, 'INTERNAL_ERROR'));
    const asked = settled(new Capstan({ fetch, maxRetries: 2 }).agents.get(1));
    await expect(asked).rejects.toBeInstanceOf(ServerError);
    expect(sent).toHaveLength(3);
  });

  it('is not repeated where that would run work again', async () => {
    const { fetch, sent } = scriptedFetch(problem(500, 'SDK_ERROR', { 'x-should-retry': 'false' }));
    await expect(settled(new Capstan({ fetch }).executions.submit(1, { input: 'x' }))).rejects.toMatchObject({
      code: 'SDK_ERROR',
      requestId: 'r-2',
    });
    expect(sent).toHaveLength(1);
  });

  it('waits at least as long as the server asks for', async () => {
    const { fetch, sent } = scriptedFetch(problem(429, 'RATE_LIMITED', { 'retry-after': '20' }), json({}));
    const asked = Promise.resolve(new Capstan({ fetch }).agents.get(1));
    let waitedMs = 0;
    for (; sent.length < 2; waitedMs += 100) await jest.advanceTimersByTimeAsync(100);
    expect(waitedMs).toBeGreaterThanOrEqual(20_000);
    await asked;
  });

  it('ends each try after the timeout, and says so', async () => {
    const silent = (_request: unknown, signal: AbortSignal | null): Promise<Response> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    const { fetch, sent } = scriptedFetch(silent, silent);
    const asked = settled(new Capstan({ fetch, timeout: 5_000 }).agents.get(1, { maxRetries: 1 }));
    await expect(asked).rejects.toBeInstanceOf(TimeoutError);
    expect(sent).toHaveLength(2);
  });

  it('ends with the reason of its signal, during a try and during a pause', async () => {
    const stop = new AbortController();
    const { fetch } = scriptedFetch(GONE, GONE, GONE, GONE);
    const asked = Promise.resolve(new Capstan({ fetch }).agents.get(1, { signal: stop.signal }));
    asked.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(10);
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    const again = new Capstan({ fetch }).agents.get(1, { signal: stop.signal });
    await expect(Promise.resolve(again)).rejects.toThrow('enough');
  });

  it('broken off in the middle of its answer is repeated', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new TypeError('terminated')),
    });
    const { fetch } = scriptedFetch(new Response(broken), json({ id: 7 }));
    await expect(settled(new Capstan({ fetch }).agents.get(7))).resolves.toEqual({ id: 7 });
  });

  it.each([
    [400, InvalidRequestError],
    [422, InvalidRequestError],
    [429, RateLimitError],
    [500, ServerError],
    [418, ApiError],
  ] as const)('answered %s fails with an error of its kind', async (status, ErrorClass) => {
    const { fetch } = scriptedFetch(problem(status, 'VALIDATION_ERROR'));
    const asked = settled(new Capstan({ fetch, maxRetries: 0 }).agents.get(1));
    await expect(asked).rejects.toBeInstanceOf(ErrorClass);
  });

  it('answered by a proxy without a reason fails without a code', async () => {
    const { fetch } = scriptedFetch(new Response('<html>', { status: 502 }));
    const asked = settled(new Capstan({ fetch, maxRetries: 0 }).agents.get(1));
    await expect(asked).rejects.toMatchObject({ status: 502, code: null, requestId: null });
  });

  it('names the server that cannot be reached', async () => {
    const { fetch } = scriptedFetch(GONE);
    const asked = settled(
      new Capstan({ fetch, maxRetries: 0, baseUrl: 'http://gone.example' }).agents.get(1),
    );
    await expect(asked).rejects.toThrow('gone.example');
    await expect(asked).rejects.toBeInstanceOf(ConnectionError);
  });

  it('says which fields are wrong', async () => {
    const body = {
      code: 'VALIDATION_ERROR',
      detail: 'not valid',
      errors: [{ pointer: '#/name', detail: 'is missing' }],
    };
    const { fetch } = scriptedFetch(json(body, 400));
    const asked = settled(new Capstan({ fetch }).agents.create({} as never));
    await expect(asked).rejects.toMatchObject({
      errors: body.errors,
      message: expect.stringContaining('#/name: is missing'),
    });
  });
});
