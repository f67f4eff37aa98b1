import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { type PromptMessage, InvalidModelParameterError } from '#libs/payloads';
import { MISSING_OUTPUT } from '../model-calls/pair-tool-calls.js';
import { buildChatRequest, type ChatCall } from './build-chat-request.js';

const schema = { type: 'object', properties: {} };
const tool = { name: ' search ', description: 'finds', parameters: schema, strict: true };
const usual = { limitField: 'max_tokens', streamsUsage: true } as const;

function build(parameters: JsonObject, more: Partial<ChatCall> = {}) {
  const messages: PromptMessage[] = [{ role: 'user', content: 'hi' }];
  return buildChatRequest({
    model: 'm',
    messages,
    tools: [],
    parameters,
    stream: false,
    dialect: usual,
    ...more,
  });
}
const bare = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: false };
const messagesOf = (...messages: PromptMessage[]) => build({}, { messages }).messages;

describe('buildChatRequest', () => {
  it.each<[string, JsonObject, object]>([
    ['nothing', {}, {}],
    ['a limit', { max_output_tokens: '10' }, { max_tokens: 10 }],
    ['a limit that is no whole number', { max_output_tokens: 10.9 }, { max_tokens: 10 }],
    ['a limit by its other name', { max_tokens: 200_000 }, { max_tokens: 200_000 }],
    ['sampling', { temperature: 0, top_p: 1 }, { temperature: 0, top_p: 1 }],
    [
      'penalties',
      { frequency_penalty: -2, presence_penalty: 0.5 },
      { frequency_penalty: -2, presence_penalty: 0.5 },
    ],
    ['a seed', { seed: 7 }, { seed: 7 }],
    ['biases', { logit_bias: { 50256: -100 } }, { logit_bias: { 50256: -100 } }],
    ['a stop', { stop: 'END' }, { stop: ['END'] }],
    ['effort in any word', { reasoning_effort: 'max' }, { reasoning_effort: 'max' }],
    ['verbosity and user', { verbosity: 'low', user: 'u' }, { verbosity: 'low', user: 'u' }],
    ['plain text', { response_format: 'text' }, {}],
    ['JSON', { response_format: 'json_object' }, { response_format: { type: 'json_object' } }],
    [
      'a schema',
      { response_format: 'json_schema', json_schema: { name: 'x', schema, strict: '0' } },
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict: false } } },
    ],
    ['a choice without tools', { tool_choice: 'auto', parallel_tool_calls: true }, {}],
    ['unknown parameters', { n: 3, top_k: 5 }, {}],
    ['parameters that count as not given', { temperature: null, reasoning_summary: '', tool_choice: '' }, {}],
  ])('%s', (_case, parameters, expected) => expect(build(parameters)).toEqual({ ...bare, ...expected }));

  it('sends the limit in the field of the dialect', () =>
    expect(
      build({ max_output_tokens: 5 }, { dialect: { ...usual, limitField: 'max_completion_tokens' } }),
    ).toEqual({ ...bare, max_completion_tokens: 5 }));

  it.each<[JsonObject, boolean, boolean, object]>([
    [{}, true, true, { stream: true, stream_options: { include_usage: true } }],
    [{}, true, false, { stream: true }],
    [{ enable_stream: '0' }, true, true, { stream: false }],
    [{}, false, true, { stream: false }],
  ])('S1-25: %j, a caller that streams %j, usage %j → %j', (parameters, stream, streamsUsage, expected) =>
    expect(build(parameters, { stream, dialect: { ...usual, streamsUsage } })).toEqual({
      ...bare,
      ...expected,
    }),
  );

  it.each<[unknown, unknown]>([
    ['required', 'required'],
    ['search', { type: 'function', function: { name: 'search' } }],
    [
      { type: 'function', name: 'search' },
      { type: 'function', function: { name: 'search' } },
    ],
    [
      { type: 'function', function: { name: 'search' } },
      { type: 'function', function: { name: 'search' } },
    ],
  ])('tool_choice %j → %j', (choice, expected) =>
    expect(build({ tool_choice: choice as string, parallel_tool_calls: 'false' }, { tools: [tool] })).toEqual(
      {
        ...bare,
        tools: [
          {
            type: 'function',
            function: { name: 'search', description: 'finds', parameters: schema, strict: true },
          },
        ],
        tool_choice: expected,
        parallel_tool_calls: false,
      },
    ),
  );

  it.each<[JsonObject, string]>([
    [{ max_output_tokens: 0.5 }, 'max_output_tokens must be an integer between 1 and 1000000'],
    [{ max_tokens: 0 }, 'max_tokens must be an integer between 1 and 1000000'],
    [{ temperature: 2.1 }, 'temperature must be a number between 0 and 2'],
    [{ frequency_penalty: 3 }, 'frequency_penalty must be a number between -2 and 2'],
    [{ seed: 0.5 }, 'seed must be an integer'],
    [{ logit_bias: { a: 101 } }, 'logit_bias must be an object of numbers between -100 and 100'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop must be at most 4 texts'],
    [{ reasoning_effort: 'Very High' }, 'reasoning_effort must be one word'],
    [{ reasoning_summary: 'auto' }, 'reasoning_summary is not supported'],
    [{ response_format: 'xml' }, 'unsupported response_format: xml'],
    [{ tool_choice: { type: 'auto' } }, 'tool_choice must be auto, none, required or the name of a tool'],
  ])('S3-27: refuses %j', (parameters, message) => {
    expect(() => build(parameters)).toThrow(InvalidModelParameterError);
    expect(() => build(parameters)).toThrow(message);
  });
});

describe('the messages of a chat request', () => {
  const call = (id: string) => ({ id, name: 'search', arguments: '' });
  const asked = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'search', arguments: '{}' },
  });

  it('know two roles of instructions as one, and no empty texts', () =>
    expect(
      messagesOf(
        { role: 'system', content: 'a' },
        { role: 'developer', content: 'b' },
        { role: 'user', content: '\u0000' },
        { role: 'assistant', content: '' },
        { role: 'assistant', content: 'c' },
      ),
    ).toEqual([
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'assistant', content: 'c' },
    ]));

  it('put every output right after its call, in any order of input, with a stand-in for a missing one', () =>
    expect(
      messagesOf(
        { role: 'assistant', content: '', toolCalls: [call('a'), call('b')] },
        { role: 'user', content: 'and?' },
        { role: 'tool', toolCallId: 'b', content: 'found' },
        { role: 'tool', toolCallId: 'stray', content: 'x' },
      ),
    ).toEqual([
      { role: 'assistant', content: null, tool_calls: [asked('a'), asked('b')] },
      { role: 'tool', tool_call_id: 'a', content: MISSING_OUTPUT },
      { role: 'tool', tool_call_id: 'b', content: 'found' },
      { role: 'user', content: 'and?' },
    ]));

  it('give an output to the latest call of its id', () =>
    expect(
      messagesOf(
        { role: 'assistant', content: '', toolCalls: [call('a')] },
        { role: 'tool', toolCallId: 'a', content: 'first' },
        { role: 'assistant', content: '', toolCalls: [call('a')] },
        { role: 'tool', toolCallId: 'a', content: 'second' },
      ).flatMap((message) => (message.role === 'tool' ? message.content : [])),
    ).toEqual(['first', 'second']));

  it.each<[string, readonly JsonObject[], readonly unknown[], object]>([
    [
      'its own reasoning with calls, in the field it came in',
      [{ type: 'chat_reasoning', field: 'reasoning', text: 'hm' }],
      [call('a')],
      { reasoning: 'hm' },
    ],
    ['nothing of another API', [{ type: 'reasoning', id: 'r', summary: [] }], [call('a')], {}],
    ['none without calls', [{ type: 'chat_reasoning', field: 'reasoning', text: 'hm' }], [], {}],
    [
      'no field that was made up',
      [{ type: 'chat_reasoning', field: '__proto__', text: 'x' }],
      [call('a')],
      {},
    ],
  ])('carry back %s', (_case, providerItems, toolCalls, expected) => {
    const [answer] = messagesOf({
      role: 'assistant',
      content: 't',
      toolCalls: toolCalls as ReturnType<typeof call>[],
      providerItems,
    });
    const calls = toolCalls.length > 0 ? { tool_calls: [asked('a')] } : {};
    expect(answer).toEqual({ role: 'assistant', content: 't', ...calls, ...expected });
  });
});

it('a question with images and files is a list of parts; one without is a text', () => {
  const media = [
    { kind: 'image', name: 'a.png', mediaType: 'image/png', base64: 'iVBO' },
    { kind: 'file', name: 'b.pdf', mediaType: 'application/pdf', base64: 'JVBE' },
  ] as const;
  expect(messagesOf({ role: 'user', content: 'What?', media })).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
        { type: 'file', file: { filename: 'b.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
      ],
    },
  ]);
  expect(messagesOf({ role: 'user', content: 'What?', media: [] })).toEqual([
    { role: 'user', content: 'What?' },
  ]);
});
