import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../simulator.js';

const MANY_MS = 3_600_000;
const entrySchema = z.looseObject({
  end: z.string().nullable(),
  status: z.number().nullable(),
  terminal_sent: z.boolean(),
});

let simulator: RunningSimulator;
let lastKey = 0;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

/** Injects a fault for a new key, and returns the key. */
async function arrange(fault: object, on: object = {}): Promise<string> {
  const key = `fault-${(lastKey += 1)}`;
  const body = JSON.stringify({ key, faults: [{ on, fault }] });
  const response = await fetch(`${simulator.url.replace('/v1', '')}/__control/faults`, {
    method: 'POST',
    body,
  });
  expect(response.status).toBe(201);
  return key;
}

function post(
  key: string,
  extra: object = {},
  signal: AbortSignal = AbortSignal.timeout(20_000),
): Promise<Response> {
  return fetch(`${simulator.url}/responses`, {
    method: 'POST',
    headers: { 'x-sim-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim-echo', input: 'héllo 世界', ...extra }),
    signal,
  });
}

const streamOf = async (fault: object, extra: object = {}): Promise<string> =>
  (await post(await arrange(fault), { stream: true, ...extra })).text();

const eventSchema = z.looseObject({ type: z.string() });
const eventsIn = (text: string) =>
  [...text.matchAll(/^data: (\{.*\})$/gmu)].map((match) => eventSchema.parse(JSON.parse(match[1] ?? '')));

/** The ledger entry of a key's last request, once it satisfies `isSo`. */
async function ledgerEntry(key: string, isSo: (entry: z.infer<typeof entrySchema>) => boolean) {
  for (let tries = 0; tries < 500; tries += 1) {
    const response = await fetch(`${simulator.url.replace('/v1', '')}/__control/requests?key=${key}`);
    const { requests } = z.object({ requests: z.array(entrySchema) }).parse(await response.json());
    const entry = requests.at(-1);
    if (entry !== undefined && isSo(entry)) return entry;
  }
  throw new Error('the ledger never said so');
}

describe('a fault instead of an answer', () => {
  it.each<[object, number, object]>([
    [{ kind: 'rate_limited' }, 429, { code: 'rate_limit_exceeded', type: 'tokens' }],
    [{ kind: 'insufficient_quota' }, 429, { code: 'insufficient_quota', type: 'insufficient_quota' }],
    [{ kind: 'server_error' }, 500, { type: 'server_error' }],
    [{ kind: 'server_error', status: 502 }, 502, { type: 'server_error' }],
    [{ kind: 'server_error', status: 503 }, 503, { type: 'server_error' }],
    [{ kind: 'server_error', status: 504 }, 504, { type: 'server_error' }],
    [{ kind: 'request_timeout' }, 408, { type: 'server_error' }],
    [{ kind: 'conflict' }, 409, {}],
    [{ kind: 'unauthorized' }, 401, { code: 'invalid_api_key' }],
    [{ kind: 'forbidden' }, 403, {}],
    [{ kind: 'model_not_found' }, 404, { code: 'model_not_found', param: 'model' }],
    [{ kind: 'context_length_exceeded' }, 400, { code: 'context_length_exceeded', param: 'input' }],
  ])('%j answers %d in the shape of the API', async (fault, status, error) => {
    const response = await post(await arrange(fault), { stream: true });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String), ...error } });
  });

  it.each<[unknown, string | RegExp]>([
    [1, '1'],
    [600, '600'],
    [-5, '-5'],
    ['soon', 'soon'],
    [{ date_in_s: 30 }, /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/],
  ])('says when to come back: %j', async (retry_after, expected) => {
    const response = await post(await arrange({ kind: 'rate_limited', retry_after }));
    expect(response.headers.get('retry-after')).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
    const plain = await post(await arrange({ kind: 'rate_limited' }));
    expect(plain.headers.has('retry-after')).toBe(false);
  });

  it('may be a page of a gateway, a foreign page, or empty', async () => {
    const gateway = await post(await arrange({ kind: 'server_error', status: 502, body: 'html' }));
    expect([gateway.status, gateway.headers.get('content-type')]).toEqual([502, 'text/html']);
    const page = await post(await arrange({ kind: 'html_page' }), { stream: true });
    expect([page.status, (await page.text()).slice(0, 15)]).toEqual([200, '<!DOCTYPE html>']);
    const empty = await post(await arrange({ kind: 'empty_body' }), { stream: true });
    expect([empty.status, await empty.text()]).toEqual([200, '']);
  });

  it('lets the n-th call pass and the next one not', async () => {
    const key = await arrange({ kind: 'server_error' }, { call: 2 });
    const statuses = [(await post(key)).status, (await post(key)).status, (await post(key)).status];
    expect(statuses).toEqual([200, 500, 200]);
  });

  it('resets the connection before any header', async () => {
    const key = await arrange({ kind: 'reset_before_headers' });
    await expect(post(key)).rejects.toThrow('fetch failed');
    expect(await ledgerEntry(key, (entry) => entry.end === 'reset')).toMatchObject({
      status: null,
      terminal_sent: false,
    });
  });

  it('hangs before the headers until the client leaves', async () => {
    const key = await arrange({ kind: 'hang_before_headers' });
    const client = new AbortController();
    const answer = post(key, {}, client.signal);
    await ledgerEntry(key, (entry) => entry.end === null);
    client.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(await ledgerEntry(key, (entry) => entry.end === 'client_left')).toMatchObject({ status: null });
  });

  it('answers late when the hang has an end', async () => {
    expect((await post(await arrange({ kind: 'hang_before_headers', ms: 5 }))).status).toBe(200);
  });

  it('reaches models and embeddings when it is asked to', async () => {
    const key = await arrange({ kind: 'unauthorized' }, { endpoint: 'models' });
    const headers = { 'x-sim-key': key };
    expect((await fetch(`${simulator.url}/models`, { headers })).status).toBe(401);
    expect((await post(key)).status).toBe(200);
    const other = await arrange({ kind: 'rate_limited' }, { endpoint: 'embeddings' });
    const body = JSON.stringify({ model: 'sim-embedding', input: 'x' });
    const embedded = await fetch(`${simulator.url}/embeddings`, {
      method: 'POST',
      body,
      headers: { 'x-sim-key': other },
    });
    expect(embedded.status).toBe(429);
  });

  it('answers vectors of other dimensions for the texts that it names', async () => {
    const on = { endpoint: 'embeddings', contains: 'roma' };
    const headers = { 'x-sim-key': await arrange({ kind: 'other_dimensions', dimensions: 5 }, on) };
    const lengthOf = async (input: string): Promise<number | undefined> => {
      const body = JSON.stringify({ model: 'sim-words', input: ['lemon', input], dimensions: 8 });
      const answer = await fetch(`${simulator.url}/embeddings`, { method: 'POST', body, headers });
      return ((await answer.json()) as { data: { embedding: number[] }[] }).data[1]?.embedding.length;
    };
    expect([await lengthOf('roma tomato'), await lengthOf('butter')]).toEqual([5, 8]);
  });
});

describe('a fault of the stream', () => {
  it.each<[string, object, boolean]>([
    ['truncate', { kind: 'truncate' }, false],
    ['truncate after the first', { kind: 'truncate', after_events: 1 }, false],
    ['truncate in the middle of an event', { kind: 'truncate_mid_event' }, false],
    ['error event', { kind: 'error_event' }, true],
  ])('ends cleanly without a terminal response: %s', async (_name, fault, isTerminalSent) => {
    const key = await arrange(fault);
    const text = await (await post(key, { stream: true })).text();
    expect(text).toContain('event: response.created\n');
    expect(text).not.toMatch(/event: response\.(?:completed|failed|incomplete)/);
    expect(await ledgerEntry(key, (entry) => entry.end === 'ended')).toMatchObject({
      terminal_sent: isTerminalSent,
    });
  });

  it('ends with an error event that has its number', async () => {
    const events = eventsIn(
      await streamOf({
        kind: 'error_event',
        after_events: 3,
        code: 'rate_limit_exceeded',
        message: 'slow down',
      }),
    );
    expect(events).toHaveLength(4);
    expect(events.at(-1)).toEqual({
      type: 'error',
      sequence_number: 3,
      code: 'rate_limit_exceeded',
      message: 'slow down',
      param: null,
    });
  });

  it('resets the connection in the middle of an event', async () => {
    const key = await arrange({ kind: 'reset_mid_event' });
    const response = await post(key, { stream: true });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await ledgerEntry(key, (entry) => entry.end === 'reset')).toMatchObject({ terminal_sent: false });
  });

  it('says nothing more until the client leaves', async () => {
    const key = await arrange({ kind: 'hang_mid_stream', after_events: 2 });
    const client = new AbortController();
    const response = await post(key, { stream: true }, client.signal);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain('response.created');
    expect(await ledgerEntry(key, (entry) => entry.end === null)).toMatchObject({ terminal_sent: false });
    client.abort();
    await ledgerEntry(key, (entry) => entry.end === 'client_left');
  });

  it('is cut by a client that does not want to wait for a drip', async () => {
    const key = await arrange({ kind: 'slow_drip', interval_ms: MANY_MS });
    const client = new AbortController();
    const response = await post(key, { stream: true }, client.signal);
    const first = await response.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^: keep-alive\n\n/);
    client.abort();
    await ledgerEntry(key, (entry) => entry.end === 'client_left');
  });

  it.each<[object]>([
    [{ kind: 'split_utf8' }],
    [{ kind: 'split_events', bytes: 64 }],
    [{ kind: 'slow_drip', bytes: 200, interval_ms: 0 }],
    [{ kind: 'crlf' }],
    [{ kind: 'comments' }],
    [{ kind: 'done_marker' }],
    [{ kind: 'unknown_events' }],
    [{ kind: 'sequence_numbers', mode: 'duplicate' }],
    [{ kind: 'hang_mid_stream', ms: 5 }],
    [{ kind: 'slow', headers_ms: 2, delta_ms: 1 }],
  ])('does not trouble a client that reads well: %j', async (fault) => {
    const client = new OpenAI({
      baseURL: simulator.url,
      apiKey: 'k',
      defaultHeaders: { 'x-sim-key': await arrange(fault) },
    });
    const stream = await client.responses.create({ model: 'sim-echo', input: 'héllo 世界 👍', stream: true });
    const texts: string[] = [];
    for await (const event of stream)
      if (event.type === 'response.output_text.delta') texts.push(event.delta);
    expect(texts.join('')).toBe('héllo 世界 👍');
  });

  it('puts unknown events between the others', async () => {
    const types = eventsIn(await streamOf({ kind: 'unknown_events', every: 2 })).map((event) => event.type);
    expect(types.filter((type) => type === 'response.simulated.unknown').length).toBeGreaterThan(2);
    expect(types.at(-1)).toBe('response.completed');
  });

  it.each<[string, (numbers: unknown[]) => unknown, unknown]>([
    ['duplicate', (numbers) => numbers.slice(0, 4), [0, 0, 1, 1]],
    ['out_of_order', (numbers) => numbers.slice(0, 4), [1, 0, 3, 2]],
    ['gaps', (numbers) => numbers.slice(0, 4), [0, 3, 6, 9]],
    ['missing', (numbers) => numbers.every((number) => number === undefined), true],
  ])('numbers events wrongly: %s', async (mode, look, expected) => {
    const events = eventsIn(await streamOf({ kind: 'sequence_numbers', mode }));
    expect(look(events.map((event) => event['sequence_number']))).toEqual(expected);
  });

  it('breaks the JSON of one event', async () => {
    const text = await streamOf({ kind: 'invalid_json_event', after_events: 4 });
    const lines = text.split('\n').filter((line) => line.startsWith('data: '));
    expect((): unknown => JSON.parse(lines[4]?.slice(6) ?? '')).toThrow(SyntaxError);
    expect((): unknown => JSON.parse(lines[5]?.slice(6) ?? '')).not.toThrow();
  });

  it('cuts a blocking answer too', async () => {
    const cut = await (await post(await arrange({ kind: 'truncate' }))).text();
    expect((): unknown => JSON.parse(cut)).toThrow(SyntaxError);
    const reset = await post(await arrange({ kind: 'reset_mid_event' }));
    await expect(reset.text()).rejects.toThrow('terminated');
  });
});
