import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import * as domainModels from './domains.js';
import { outputItemSchema } from './responses/output-item-schema.js';
import { responseSchema } from './responses/response-schema.js';
import { streamEventSchema } from './responses/stream-event-schema.js';
import { createSimulator, startSimulator, type RunningSimulator } from './simulator.js';

const TOOL = {
  type: 'function' as const,
  name: 'search_names',
  description: 'Finds items.',
  strict: true,
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' }, limit: { type: ['integer', 'null'] } },
    required: ['query', 'limit'],
    additionalProperties: false,
  },
};

let simulator: RunningSimulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator();
  client = new OpenAI({ baseURL: simulator.url, apiKey: 'sk-any', maxRetries: 0 });
});
afterAll(() => simulator.close());

describe('the official client', () => {
  it('gets a whole answer', async () => {
    const response = await client.responses.create({ model: 'sim-echo', input: 'Héllo 世界' });
    const { output_text: text, ...wire } = response;
    expect(text).toBe('Héllo 世界');
    expect(responseSchema.safeParse(wire).error).toBeUndefined();
    expect(response.usage).toMatchObject({
      output_tokens: 4,
      total_tokens: (response.usage?.input_tokens ?? 0) + 4,
    });
  });

  it('gets a stream whose deltas are the answer', async () => {
    const stream = await client.responses.create({
      model: 'sim-echo',
      input: 'Héllo 世界 👍',
      stream: true,
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    for (const event of events) expect(streamEventSchema.safeParse(event).error).toBeUndefined();
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
    const text = events
      .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
      .join('');
    expect(text).toBe('Héllo 世界 👍');
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  it('goes round by round with tools and carries the reasoning back', async () => {
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'roma' }];
    const parameters = {
      model: 'sim-echo',
      store: false,
      tools: [TOOL],
      reasoning: { effort: 'low' as const },
    };
    const first = await client.responses.create({
      ...parameters,
      input,
      tool_choice: 'required',
      include: ['reasoning.encrypted_content'],
    });
    expect(first.output.map((item) => item.type)).toEqual(['reasoning', 'function_call']);
    for (const item of first.output) expect(outputItemSchema.safeParse(item).error).toBeUndefined();
    const said = first.output.filter((item) => item.type === 'reasoning' || item.type === 'function_call');
    const call = said.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'search_names', arguments: '{"query":"roma","limit":null}' });
    const answered = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'found' };
    const second = await client.responses.create({
      ...parameters,
      input: [...input, ...said, answered],
    });
    expect(second.output_text).toBe('roma');
    await expect(
      client.responses.create({ ...parameters, input: [...input, ...said] }),
    ).rejects.toMatchObject({
      status: 400,
      param: 'input',
      message: `400 No tool output found for function call ${call?.call_id}.`,
    });
  });

  it('reads the helper stream to its end', async () => {
    const stream = client.responses.stream({ model: 'sim-echo', input: 'hello' });
    expect((await stream.finalResponse()).output_text).toBe('hello');
  });

  it('gets JSON that fits its schema', async () => {
    const schema = {
      type: 'object',
      properties: { answer: { type: 'string' }, sure: { type: 'boolean' } },
      required: ['answer', 'sure'],
      additionalProperties: false,
    };
    const response = await client.responses.create({
      model: 'sim-echo',
      input: 'hi',
      text: { format: { type: 'json_schema', name: 'answer', schema } },
    });
    expect(JSON.parse(response.output_text)).toEqual({ answer: 'hi', sure: false });
  });

  it('is cut at max_output_tokens', async () => {
    const response = await client.responses.create({
      model: 'sim-echo',
      input: 'x'.repeat(400),
      max_output_tokens: 16,
    });
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    expect(response.output_text).toBe('x'.repeat(64));
  });

  it('lists models and reads what each is', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    const ofDomains = Object.values(domainModels).map(({ card }) => card.id);
    expect(ofDomains.length).toBeGreaterThan(0);
    expect(ids).toEqual(['sim-echo', 'sim-caller', 'sim-script', ...ofDomains, 'sim-embedding', 'sim-words']);
    for (const id of ofDomains)
      expect(await client.models.retrieve(id)).toMatchObject({
        object: 'model',
        description: expect.stringContaining('not a language model'),
      });
  });

  it('gets embeddings as it reads them', async () => {
    const { data, usage } = await client.embeddings.create({
      model: 'sim-embedding',
      input: ['roma', 'lemon'],
      dimensions: 32,
    });
    expect(data.map((one) => [one.index, one.embedding.length])).toEqual([
      [0, 32],
      [1, 32],
    ]);
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  });

  it.each<[string, number, string | null, () => Promise<unknown>]>([
    [
      'an unknown model',
      404,
      'model_not_found',
      () => client.responses.create({ model: 'gpt-none', input: 'hi' }),
    ],
    [
      'an unknown model of embeddings',
      404,
      'model_not_found',
      () => client.embeddings.create({ model: 'sim-echo', input: 'hi' }),
    ],
    ['an unknown model to look at', 404, 'model_not_found', () => client.models.retrieve('gpt-none')],
    [
      'an empty text to embed',
      400,
      'invalid_value',
      () => client.embeddings.create({ model: 'sim-embedding', input: '' }),
    ],
    ['a path that is not there', 404, 'unknown_url', () => client.post('/completions', { body: {} })],
    ['a body that is no object', 400, null, () => client.post('/responses', { body: [] })],
  ])('gets the typed error for %s', async (_name, status, code, call) => {
    await expect(call()).rejects.toMatchObject({ status, code, type: 'invalid_request_error' });
  });

  it('gets its request id, also with an error', async () => {
    const response = await client.responses.create({ model: 'sim-echo', input: 'hi' });
    expect(response._request_id).toMatch(/^req_/);
    await expect(client.models.retrieve('gpt-none')).rejects.toMatchObject({
      requestID: expect.stringMatching(/^req_/),
    });
  });
});

describe('the key', () => {
  const listWith = (url: string, authorization?: string): Promise<Response> =>
    fetch(`${url}/models`, { headers: authorization === undefined ? {} : { authorization } });

  it('may be any or none, except the one that is always wrong', async () => {
    expect((await listWith(simulator.url)).status).toBe(200);
    expect((await listWith(simulator.url, 'Bearer any')).status).toBe(200);
    const refused = await listWith(simulator.url, 'Bearer sk-invalid');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 'invalid_api_key', param: null },
    });
  });

  it('has to be the right one when the server has one', async () => {
    const locked = await startSimulator({ apiKey: 'sk-right' });
    const statuses = await Promise.all(
      ['Bearer sk-right', 'Bearer sk-wrong', undefined].map(
        async (key) => (await listWith(locked.url, key)).status,
      ),
    );
    await locked.close();
    expect(statuses).toEqual([200, 401, 401]);
  });
});

describe('a body that is not JSON', () => {
  it.each([
    ['broken', '{"model":'],
    ['empty', ''],
  ])('is refused in the shape of the API: %s', async (_name, body) => {
    const response = await fetch(`${simulator.url}/responses`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('could not parse the JSON body') },
    });
  });
});

describe('the server', () => {
  it('can be made without listening', async () => {
    const server = await createSimulator();
    const health = await server.inject({ url: '/__control/health' });
    await server.close();
    expect(health.json()).toEqual({ status: 'ok' });
  });

  it('cuts what is still on its way when it closes', async () => {
    const running = await startSimulator();
    const script = JSON.stringify({
      answers: [{ text: 'x' }],
      faults: [{ fault: { kind: 'hang_mid_stream' } }],
    });
    const body = JSON.stringify({
      model: 'sim-script',
      stream: true,
      input: `\`\`\`sim-script\n${script}\n\`\`\``,
    });
    const response = await fetch(`${running.url}/responses`, { method: 'POST', body });
    await running.close();
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('says when its port is taken', async () => {
    const port = Number(new URL(simulator.url).port);
    await expect(startSimulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
