import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../simulator.js';

const ledgerSchema = z.object({
  requests: z.array(
    z.looseObject({ key: z.string().nullable(), headers: z.record(z.string(), z.string()), body: z.json() }),
  ),
  forgotten: z.number(),
});

let simulator: RunningSimulator;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

const clientOf = (key: string): OpenAI =>
  new OpenAI({
    baseURL: simulator.url,
    apiKey: 'sk-secret',
    maxRetries: 0,
    defaultHeaders: { 'x-sim-key': key },
  });
const control = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${simulator.url.replace('/v1', '')}/__control${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const ledgerOf = async (key: string) =>
  ledgerSchema.parse(await (await control('GET', `/requests?key=${key}`)).json()).requests;
const say = (key: string, text: string, model = 'sim-script') =>
  clientOf(key).responses.create({ model, input: text });

describe('the ledger', () => {
  it('shows every request with its body and what became of it, but no key', async () => {
    const response = await say('ledger', 'hello', 'sim-echo');
    await expect(say('ledger', 'x', 'gpt-none')).rejects.toThrow('404');
    const [first, second] = await ledgerOf('ledger');
    expect(first).toMatchObject({
      ...{ endpoint: 'responses', key: 'ledger', model: 'sim-echo', stream: false, round: 1, status: 200 },
      ...{ response_id: response.id, usage: response.usage, terminal_sent: true, end: 'ended', faults: [] },
      body: { model: 'sim-echo', input: 'hello' },
    });
    expect(second).toMatchObject({ status: 404, response_id: null, terminal_sent: false });
    expect(JSON.stringify(await ledgerOf('ledger'))).not.toContain('sk-secret');
  });

  it('takes the key from the metadata too', async () => {
    const client = new OpenAI({ baseURL: simulator.url, apiKey: 'k' });
    await client.responses.create({ model: 'sim-echo', input: 'hi', metadata: { sim_key: 'from-metadata' } });
    expect(await ledgerOf('from-metadata')).toHaveLength(1);
  });

  it('shows a body however deep it is', async () => {
    const depth = 20_000;
    await fetch(`${simulator.url}/responses`, {
      method: 'POST',
      headers: { 'x-sim-key': 'deep' },
      body: `{"model":"sim-echo","input":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    });
    const text = await (await control('GET', '/requests?key=deep')).text();
    expect(text).toContain('['.repeat(depth));
  });

  it('can be emptied for one key', async () => {
    await say('emptied', 'hi', 'sim-echo');
    expect((await control('DELETE', '/requests?key=emptied')).status).toBe(204);
    expect(await ledgerOf('emptied')).toEqual([]);
    expect(await ledgerOf('ledger')).not.toEqual([]);
  });
});

describe('posted scripts', () => {
  it('answer by round, so that a repeated request gets the same answer', async () => {
    await control('POST', '/scripts', { key: 'rounds', answers: [{ text: 'one' }, { text: 'two' }] });
    expect((await say('rounds', 'hi')).output_text).toBe('one');
    expect((await say('rounds', 'hi')).output_text).toBe('one');
    const input = [
      { role: 'user' as const, content: 'hi' },
      { type: 'function_call' as const, call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output' as const, call_id: 'call_1', output: 'ok' },
    ];
    const second = await clientOf('rounds').responses.create({ model: 'sim-script', input });
    expect(second.output_text).toBe('two');
  });

  it('answer call by call when that is wanted, and refuse when they are used up', async () => {
    await control('POST', '/scripts', {
      key: 'calls',
      order: 'call',
      answers: [{ text: 'one' }, { text: 'two' }],
    });
    expect((await say('calls', 'hi')).output_text).toBe('one');
    expect((await say('calls', 'hi')).output_text).toBe('two');
    await expect(say('calls', 'hi')).rejects.toMatchObject({ status: 400, code: 'script_exhausted' });
  });

  it('repeat the last answer when they are asked to', async () => {
    await control('POST', '/scripts', {
      key: 'loop',
      order: 'call',
      then: 'repeat_last',
      answers: [{ text: 'again' }],
    });
    expect((await say('loop', 'hi')).output_text).toBe('again');
    expect((await say('loop', 'hi')).output_text).toBe('again');
  });

  it('are chosen by what the user says, and do not reach another key', async () => {
    await control('POST', '/scripts', { key: 'text', answers: [{ text: 'any' }] });
    await control('POST', '/scripts', { key: 'text', contains: 'lemons', answers: [{ text: 'fruit' }] });
    expect((await say('text', 'some lemons')).output_text).toBe('fruit');
    expect((await say('text', 'hello')).output_text).toBe('any');
    await expect(say('elsewhere', 'hello')).rejects.toMatchObject({ status: 400, code: 'script_missing' });
    await control('DELETE', '/scripts?key=text');
    await expect(say('text', 'hello')).rejects.toMatchObject({ code: 'script_missing' });
  });
});

describe('posted faults', () => {
  it('hit the calls they name, of their key only', async () => {
    const faults = [{ on: { calls: [1, 3] }, fault: { kind: 'server_error', status: 503 } }];
    expect((await control('POST', '/faults', { key: 'faults', faults })).status).toBe(201);
    const statusOf = async (key: string): Promise<number> =>
      say(key, 'hi', 'sim-echo').then(
        () => 200,
        (error: unknown) => (error instanceof OpenAI.APIError ? Number(error.status) : 0),
      );
    const statuses = [
      await statusOf('faults'),
      await statusOf('faults'),
      await statusOf('faults'),
      await statusOf('faults'),
    ];
    expect(statuses).toEqual([503, 200, 503, 200]);
    expect(await statusOf('faultless')).toBe(200);
    const [, , third] = await ledgerOf('faults');
    expect(third).toMatchObject({ faults: ['server_error'], status: 503, terminal_sent: false });
    expect(await (await control('GET', '/faults?key=faults')).json()).toMatchObject({
      faults: [{ counted: 4 }],
    });
    await control('DELETE', '/faults?key=faults');
    expect(await (await control('GET', '/faults?key=faults')).json()).toEqual({ faults: [] });
  });

  it('can be for every key', async () => {
    await control('POST', '/faults', {
      key: '*',
      faults: [{ on: { contains: 'unlucky' }, fault: { kind: 'forbidden' } }],
    });
    await expect(say('anyone', 'unlucky', 'sim-echo')).rejects.toMatchObject({ status: 403 });
    await control('DELETE', '/faults?key=*');
  });
});

describe('the control endpoints', () => {
  it.each([
    ['/faults', { faults: [{ fault: { kind: 'meteor' } }] }, 'faults[0].fault.kind'],
    ['/faults', { faults: [] }, 'faults'],
    ['/faults', { faults: [{ on: { call: 0 }, fault: { kind: 'crlf' } }] }, 'faults[0].on.call'],
    ['/scripts', { answers: [{ calls: [{}] }] }, 'answers[0].calls[0].name'],
    ['/scripts', { answer: [] }, 'answers'],
  ])('%s names what is wrong with %j', async (path, body, param) => {
    const response = await control('POST', path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param, type: 'invalid_request_error' } });
  });

  it('forget everything at once', async () => {
    await control('POST', '/scripts', { key: 'gone', answers: [{ text: 'x' }] });
    expect((await control('DELETE', '')).status).toBe(204);
    expect(await (await control('GET', '/scripts')).json()).toEqual({ scripts: [] });
    expect(await (await control('GET', '/requests')).json()).toEqual({ requests: [], forgotten: 0 });
    expect(await (await control('GET', '/health')).json()).toEqual({ status: 'ok' });
  });
});
