import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { startSimulator, type RunningSimulator } from '../simulator.js';

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const TOOL = {
  type: 'function' as const,
  function: {
    name: 'search_names',
    description: 'Finds items.',
    strict: true,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
};

let simulator: RunningSimulator;
let client: OpenAI;
beforeAll(async () => {
  simulator = await startSimulator();
  client = new OpenAI({ baseURL: simulator.url, apiKey: 'sk-any', maxRetries: 0 });
});
afterAll(() => simulator.close());

const user = (content: string): Message => ({ role: 'user', content });
const script = (...answers: object[]) => user(`\`\`\`sim-script\n${JSON.stringify({ answers })}\n\`\`\``);

describe('Chat Completions, asked by the official client', () => {
  it('gives a whole answer with its usage', async () => {
    const completion = await client.chat.completions.create({
      model: 'sim-echo',
      messages: [{ role: 'system', content: 'Repeat.' }, user('Héllo 世界')],
    });
    expect(completion.choices).toMatchObject([
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Héllo 世界', refusal: null },
      },
    ]);
    expect(completion.usage).toMatchObject({ completion_tokens: 4 });
  });

  it.each([true, false])(
    'streams it, and reports usage only where it is asked to: %j',
    async (include_usage) => {
      const stream = await client.chat.completions.create({
        model: 'sim-echo',
        messages: [user('Héllo 世界 👍')],
        stream: true,
        stream_options: { include_usage },
      });
      const chunks: OpenAI.Chat.Completions.ChatCompletionChunk[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
      expect(text).toBe('Héllo 世界 👍');
      expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(['stop']);
      expect(chunks.filter((chunk) => chunk.usage)).toHaveLength(include_usage ? 1 : 0);
    },
  );

  it('goes round by round with tools, also through the helper of the client', async () => {
    const messages = [
      script({ calls: [{ name: 'search_names', arguments: { query: 'roma' } }] }, { text: 'Found.' }),
    ];
    const parameters = { model: 'sim-script', tools: [TOOL] };
    const stream = client.chat.completions.stream({ ...parameters, messages });
    const first = (await stream.finalChatCompletion()).choices[0];
    expect(first).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'search_names', arguments: '{"query":"roma"}' } }] },
    });
    const id = first?.message.tool_calls?.[0]?.id ?? '';
    const called = { name: 'search_names', arguments: '{"query":"roma"}' };
    const call = { id, type: 'function' as const, function: called };
    const asked: Message = { role: 'assistant', content: null, tool_calls: [call] };
    const output: Message = { role: 'tool', tool_call_id: id, content: '[]' };
    const second = await client.chat.completions.create({
      ...parameters,
      messages: [...messages, asked, output],
    });
    expect(second.choices[0]?.message.content).toBe('Found.');
    await expect(
      client.chat.completions.create({ ...parameters, messages: [...messages, asked] }),
    ).rejects.toMatchObject({ status: 400, param: 'messages[2].role' });
  });

  it.each<[string, object, string | null]>([
    ['no messages', { messages: [] }, 'messages'],
    [
      'an output without its call',
      { messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] },
      'messages[0].role',
    ],
    ['a choice without tools', { tool_choice: 'auto' }, 'tool_choice'],
    ['an unknown field', { max_output_tokens: 5 }, 'max_output_tokens'],
    ['a word for the Responses API', { input: 'hi' }, 'input'],
  ])('refuses %s', async (_case, fields, param) => {
    const body = { model: 'sim-echo', messages: [user('hi')], ...fields };
    await expect(client.post('/chat/completions', { body })).rejects.toMatchObject({ status: 400, param });
  });

  it('is hit by faults without an endpoint, by those of its own, and by no other', async () => {
    const on = (endpoint?: string) => ({
      on: { ...(endpoint && { endpoint }) },
      fault: { kind: 'conflict' },
    });
    const ask = (endpoint?: string) =>
      client.chat.completions
        .create({ model: 'sim-script', messages: [script({ text: 'ok', faults: [on(endpoint)] })] })
        .then(
          (completion) => completion.choices[0]?.message.content,
          (error: unknown) => (error instanceof OpenAI.APIError ? Number(error.status) : 0),
        );
    expect(await Promise.all([ask(), ask('chat_completions'), ask('responses')])).toEqual([409, 409, 'ok']);
  });
});
