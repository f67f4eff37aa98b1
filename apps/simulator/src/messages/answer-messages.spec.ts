import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type RunningSimulator } from '../simulator.js';

type Message = Anthropic.MessageParam;

const TOOL: Anthropic.Tool = {
  name: 'search_names',
  description: 'Finds items.',
  input_schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

let simulator: RunningSimulator;
let client: Anthropic;
beforeAll(async () => {
  simulator = await startSimulator();
  client = new Anthropic({ baseURL: simulator.url.replace(/\/v1$/, ''), apiKey: 'sk-any', maxRetries: 0 });
});
afterAll(() => simulator.close());

const user = (content: string): Message => ({ role: 'user', content });
const script = (...answers: object[]) => user(`\`\`\`sim-script\n${JSON.stringify({ answers })}\n\`\`\``);
const create = (fields: Partial<Anthropic.MessageCreateParamsNonStreaming>) =>
  client.messages.create({ model: 'sim-script', max_tokens: 1_000, messages: [user('hi')], ...fields });

describe('the Messages API, asked by the official client', () => {
  it('gives a whole answer with its usage', async () => {
    const message = await create({ model: 'sim-echo', system: 'Repeat.', messages: [user('Héllo 世界')] });
    expect(message).toMatchObject({
      ...{ type: 'message', role: 'assistant', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Héllo 世界' }],
      usage: { output_tokens: 4, cache_read_input_tokens: 0 },
    });
  });

  it('streams the same answer', async () => {
    const asked = { model: 'sim-echo', max_tokens: 1_000, messages: [user('Héllo 世界 👍')] };
    const message = await client.messages.stream(asked).finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: 'Héllo 世界 👍' }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.output_tokens).toBeGreaterThan(1);
  });

  it('goes round by round with tools and signed reasoning', async () => {
    const messages = [
      script(
        { reasoning: 'Hm.', calls: [{ name: 'search_names', arguments: { query: 'roma' } }] },
        { text: 'Found.' },
      ),
    ];
    const asked = { model: 'sim-script', max_tokens: 1_000, tools: [TOOL] };
    const thinking = { type: 'adaptive', display: 'summarized' } as const;
    const first = await client.messages.stream({ ...asked, thinking, messages }).finalMessage();
    expect(first).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'tool_use', name: 'search_names', input: { query: 'roma' } },
      ],
    });
    const [thought, used] = first.content;
    const id = used?.type === 'tool_use' ? used.id : '';
    const history: Message[] = [
      ...messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '[]' }] },
    ];
    const second = await create({ ...asked, messages: history });
    expect(second.content).toMatchObject([{ type: 'text', text: 'Found.' }]);
    const forged = thought?.type === 'thinking' ? { ...thought, signature: 'forged' } : null;
    const refused = [forged, used].filter((block) => block !== null && block !== undefined);
    await expect(
      create({ ...asked, messages: history.with(1, { role: 'assistant', content: refused }) }),
    ).rejects.toMatchObject({ status: 400 });
  });

  const used = { type: 'tool_use' as const, id: 'a', name: 'search_names', input: {} };
  const result = { type: 'tool_result' as const, tool_use_id: 'a', content: 'x' };
  it.each<[string, Partial<Anthropic.MessageCreateParamsNonStreaming>, RegExp]>([
    ['no messages', { messages: [] }, /messages/],
    ['an answer first', { messages: [{ role: 'assistant', content: 'a' }] }, /first message/],
    [
      'a call without its result',
      { messages: [user('a'), { role: 'assistant', content: [used] }] },
      /tool_result/,
    ],
    ['a result without its call', { messages: [{ role: 'user', content: [result] }] }, /tool_use_id/],
    [
      'a result behind a text',
      {
        messages: [
          ...[user('a'), { role: 'assistant' as const, content: [used] }],
          { role: 'user', content: [{ type: 'text', text: 'b' }, result] },
        ],
      },
      /tool_result/,
    ],
    ['a blank text', { messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] }, /text/],
    ['a choice without tools', { tool_choice: { type: 'auto' } }, /tool_choice/],
    ['a budget above the limit', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, /max_tokens/],
    [
      'five marks',
      {
        system: Array.from({ length: 5 }, () => ({
          ...{ type: 'text' as const, text: 'a' },
          cache_control: { type: 'ephemeral' as const },
        })),
      },
      /cache_control/,
    ],
  ])('refuses %s as the API does', async (_case, fields, message) => {
    const refused = create(fields);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      error: { error: { type: 'invalid_request_error' } },
    });
    await expect(refused).rejects.toThrow(message);
  });

  it.each([
    ['rate_limited', 429, 'rate_limit_error'],
    ['unauthorized', 401, 'authentication_error'],
    ['context_length_exceeded', 400, 'invalid_request_error'],
    ['insufficient_quota', 400, 'invalid_request_error'],
  ])('fails with %s in the shape of the API', async (kind, status, type) => {
    const faults = [{ fault: { kind } }];
    const failed = create({ messages: [script({ text: 'ok', faults })] });
    await expect(failed).rejects.toMatchObject({ status, error: { type: 'error', error: { type } } });
  });

  it('can be overloaded, and names each request', async () => {
    const faults = [{ fault: { kind: 'server_error', status: 529 } }];
    await expect(create({ messages: [script({ text: 'ok', faults })] })).rejects.toMatchObject({
      ...{ status: 529, requestID: expect.stringMatching(/^req_/) },
      error: { error: { type: 'overloaded_error' } },
    });
  });

  it.each([
    [undefined, { ephemeral_5m_input_tokens: expect.any(Number), ephemeral_1h_input_tokens: 0 }],
    ['1h' as const, { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: expect.any(Number) }],
  ])('counts what a mark of %s writes, beside the rest of the prompt', async (ttl, cache_creation) => {
    const content = [
      {
        ...{ type: 'text' as const, text: 'many words '.repeat(2_000) },
        cache_control: { type: 'ephemeral' as const, ...(ttl && { ttl }) },
      },
    ];
    const { usage } = await create({
      model: 'sim-echo',
      max_tokens: 5,
      messages: [{ role: 'user', content }],
    });
    expect(usage).toMatchObject({ cache_creation, cache_read_input_tokens: 0 });
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(1_000);
    expect(usage.input_tokens).toBeLessThan(128);
  });

  it('is hit by faults without an endpoint, by those of its own, and by no other', async () => {
    const ask = (endpoint?: string) =>
      create({
        messages: [
          script({
            text: 'ok',
            faults: [{ on: { ...(endpoint && { endpoint }) }, fault: { kind: 'conflict' } }],
          }),
        ],
      }).then(
        ({ stop_reason }) => stop_reason,
        (error: unknown) => (error instanceof Anthropic.APIError ? Number(error.status) : 0),
      );
    expect(await Promise.all([ask(), ask('messages'), ask('responses')])).toEqual([409, 409, 'end_turn']);
  });
});
