import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type {
  ResponseCreateParamsNonStreaming,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { startSimulator, type RunningSimulator } from '../simulator.js';

const TOOL = {
  type: 'function' as const,
  name: 'search',
  strict: false,
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
};

let simulator: RunningSimulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator();
  client = new OpenAI({ baseURL: simulator.url, apiKey: 'k', maxRetries: 0 });
});
afterAll(() => simulator.close());

/** Asks the scripted model for one answer with the fault. */
function ask(
  fault: object,
  answer: object = { text: 'Hello there.' },
  extra: Partial<ResponseCreateParamsNonStreaming> = {},
) {
  const script = JSON.stringify({ answers: [answer], then: 'repeat_last', faults: [{ fault }] });
  return client.responses.create({
    model: 'sim-script',
    input: `\`\`\`sim-script\n${script}\n\`\`\``,
    tools: [TOOL],
    ...extra,
    stream: false,
  });
}

const callsIn = (output: readonly ResponseOutputItem[]) =>
  output.filter((item) => item.type === 'function_call');
const TWO_CALLS = {
  calls: [
    { name: 'search', arguments: { query: 'a' } },
    { name: 'search', arguments: { query: 'b' } },
  ],
};

describe('a fault of the answer', () => {
  it('leaves out, empties or falsifies the usage', async () => {
    expect(await ask({ kind: 'usage', mode: 'missing' })).not.toHaveProperty('usage');
    expect((await ask({ kind: 'usage', mode: 'null' })).usage).toBeNull();
    const { usage } = await ask({ kind: 'usage', mode: 'inconsistent' });
    expect(usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(usage?.output_tokens ?? 0);
  });

  it('fails the response, streamed and not', async () => {
    const fault = { kind: 'response_failed', code: 'rate_limit_exceeded', message: 'no' };
    const failed = await ask(fault);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'rate_limit_exceeded', message: 'no' },
      usage: null,
    });
    const script = JSON.stringify({ answers: [{ text: 'x' }], faults: [{ fault }] });
    const stream = await client.responses.create({
      model: 'sim-script',
      input: `\`\`\`sim-script\n${script}\n\`\`\``,
      stream: true,
    });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.at(-1)).toBe('response.failed');
  });

  it.each(['max_output_tokens', 'content_filter'] as const)(
    'leaves the response incomplete: %s',
    async (reason) => {
      const response = await ask({ kind: 'response_incomplete', reason });
      expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason } });
      expect(response.output[0]).toMatchObject({ status: 'incomplete' });
      expect('Hello there.'.startsWith(response.output_text)).toBe(true);
    },
  );

  it('gives two calls one id', async () => {
    const [first, second] = callsIn((await ask({ kind: 'duplicate_call_id' }, TWO_CALLS)).output);
    expect(first?.call_id).toBe(second?.call_id);
    expect([first?.arguments, second?.arguments]).toEqual(['{"query":"a"}', '{"query":"b"}']);
    expect(callsIn((await ask({ kind: 'duplicate_call_id' })).output)).toHaveLength(2);
  });

  it('uses an id of an earlier round again', async () => {
    const script = JSON.stringify({
      answers: [TWO_CALLS, TWO_CALLS],
      faults: [{ on: { round: 2 }, fault: { kind: 'reused_call_id' } }],
    });
    const input = [
      { role: 'user' as const, content: `\`\`\`sim-script\n${script}\n\`\`\`` },
      { type: 'function_call' as const, call_id: 'call_old', name: 'search', arguments: '{}' },
      { type: 'function_call_output' as const, call_id: 'call_old', output: 'ok' },
    ];
    const { output } = await client.responses.create({ model: 'sim-script', input });
    expect(callsIn(output)[0]?.call_id).toBe('call_old');
    expect(callsIn(output)[1]?.call_id).not.toBe('call_old');
  });

  it('calls a tool that was not offered', async () => {
    const { output } = await ask({ kind: 'unknown_tool' }, TWO_CALLS);
    expect(callsIn(output).map((call) => call.name)).toEqual(['no_such_tool', 'search']);
  });

  it.each<[string, (written: string) => boolean]>([
    ['empty', (written) => written === ''],
    ['array', (written) => written === '[]'],
    ['null', (written) => written === 'null'],
    ['invalid_json', (written) => written.startsWith('{"query":"a"') && written.endsWith('oops')],
    ['one_megabyte', (written) => written.length > 1024 * 1024],
    ['deep', (written) => written.startsWith('{"a":{"a":')],
    ['nul', (written) => written.includes(String.raw`a\u0000b`)],
    ['lone_surrogate', (written) => !written.isWellFormed()],
    ['lone_surrogate_escaped', (written) => written.includes(String.raw`\ud800`)],
    ['proto', (written) => written.includes('"__proto__"')],
  ])('writes hostile arguments: %s', async (value, isSo) => {
    const calls = callsIn((await ask({ kind: 'arguments', value }, TWO_CALLS)).output);
    expect(isSo(calls[0]?.arguments ?? '')).toBe(true);
    expect(calls[1]?.arguments).toBe('{"query":"b"}');
  });

  it('makes fifty calls at once, each with an id of its own', async () => {
    const calls = callsIn((await ask({ kind: 'many_calls' }, TWO_CALLS)).output);
    expect(calls).toHaveLength(50);
    expect(new Set(calls.map((call) => call.call_id)).size).toBe(50);
  });

  it('calls tools for ever, differently each round', async () => {
    const fault = { kind: 'endless_tool_loop' };
    const script = JSON.stringify({ answers: [{ text: 'x' }], then: 'repeat_last', faults: [{ fault }] });
    const input: OpenAI.Responses.ResponseInputItem[] = [
      { role: 'user', content: `\`\`\`sim-script\n${script}\n\`\`\`` },
    ];
    const written: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { output } = await client.responses.create({ model: 'sim-script', input, tools: [TOOL] });
      const call = callsIn(output)[0];
      written.push(call?.arguments ?? '');
      input.push({ type: 'function_call', call_id: call?.call_id ?? '', name: 'search', arguments: '{}' });
      input.push({ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'ok' });
    }
    expect(new Set(written).size).toBe(12);
    expect(written[2]).toBe('{"query":"round 3"}');
  });

  it('refuses instead of answering', async () => {
    const { output } = await ask({ kind: 'refusal', text: 'No.' });
    expect(output).toMatchObject([{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }]);
  });

  it('makes up a call where the answer has none', async () => {
    const { output } = await ask({ kind: 'arguments', value: 'array' });
    expect(output).toMatchObject([{ type: 'function_call', name: 'search', arguments: '[]' }]);
  });

  it('affects one answer only: the retry of the first call succeeds', async () => {
    const answer = {
      text: 'ok',
      faults: [{ on: { call: 1 }, fault: { kind: 'server_error', status: 503 } }],
    };
    const script = JSON.stringify({ key: 'spared', answers: [answer] });
    const request = { model: 'sim-script', input: `\`\`\`sim-script\n${script}\n\`\`\`` };
    await expect(client.responses.create(request)).rejects.toMatchObject({ status: 503 });
    expect((await client.responses.create(request)).output_text).toBe('ok');
  });
});
