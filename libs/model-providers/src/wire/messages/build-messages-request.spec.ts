import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import type { PromptMessage } from '#libs/payloads';
import { buildMessagesRequest } from './build-messages-request.js';

const question: PromptMessage = { role: 'user', content: 'hi' };
const tool = { name: ' search ', description: 'finds', parameters: { properties: { q: {} } }, strict: true };
const SHORT = { type: 'ephemeral' };
const schema = { type: 'object', properties: { a: { type: 'string' } } };

function build(parameters: JsonObject, messages: readonly PromptMessage[] = [question], tools = [tool]) {
  return buildMessagesRequest({ model: 'claude-opus-5-5', messages, tools, parameters, stream: true });
}
const fields = (parameters: JsonObject) => {
  const { messages: _messages, tools: _tools, ...rest } = build(parameters, [question], []);
  return rest;
};

describe('buildMessagesRequest', () => {
  it('asks for an answer with nothing but the limit that the API requires', () =>
    expect(fields({})).toEqual({ model: 'claude-opus-5-5', max_tokens: 32_000, stream: true }));

  it.each<[JsonObject, object]>([
    [{ max_output_tokens: 10.9 }, { max_tokens: 10 }],
    [{ max_tokens: 7 }, { max_tokens: 7 }],
    [
      { temperature: 0.5, top_p: 0.9, top_k: 40 },
      { temperature: 0.5, top_p: 0.9, top_k: 40 },
    ],
    [{ stop: 'END' }, { stop_sequences: ['END'] }],
    [{ user: 'u1' }, { metadata: { user_id: 'u1' } }],
    [{ enable_stream: 'false' }, { stream: false }],
    [{ reasoning_effort: 'max' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }],
    [
      { response_format: 'json_schema', json_schema: { schema } },
      { output_config: { format: { type: 'json_schema', schema } } },
    ],
  ])('means %j as %j', (parameters, expected) => expect(fields(parameters)).toMatchObject(expected));

  it('asks in words for a schema that is not strict, because the API enforces strict ones only', () => {
    const json_schema = { schema, strict: false };
    const { system, output_config } = fields({ response_format: 'json_schema', json_schema });
    expect(output_config).toBeUndefined();
    expect(system?.[0]?.text).toContain(JSON.stringify(schema));
  });

  it.each<[JsonObject, object | undefined]>([
    [{}, undefined],
    [{ tool_choice: 'auto' }, { type: 'auto' }],
    [{ tool_choice: 'none', parallel_tool_calls: false }, { type: 'none' }],
    [{ tool_choice: 'required' }, { type: 'any' }],
    [{ tool_choice: 'search' }, { type: 'tool', name: 'search' }],
    [{ tool_choice: { type: 'function', function: { name: 'search' } } }, { type: 'tool', name: 'search' }],
    [{ tool_choice: { type: 'tool', name: 'search' } }, { type: 'tool', name: 'search' }],
    [{ parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }],
  ])('means the choice %j as %j', (parameters, expected) => {
    expect(build(parameters).tool_choice).toEqual(expected);
    expect(build(parameters, [question], [])).not.toHaveProperty('tool_choice');
  });

  it.each<[JsonObject, string]>([
    [{ max_output_tokens: 128_001 }, 'max_output_tokens'],
    [{ temperature: 1.1 }, 'temperature'],
    [{ verbosity: 'low' }, 'verbosity'],
    [{ reasoning_effort: 'much' }, 'reasoning_effort'],
    [{ tool_choice: 5 }, 'tool_choice'],
    [{ tool_choice: { type: 'tool' } }, 'tool_choice'],
    [{ prompt_cache: '2h' }, 'prompt_cache'],
    [{ top_k: 0 }, 'top_k'],
  ])('S3-27: refuses %j, naming the field', (parameters, field) =>
    expect(() => build(parameters)).toThrow(expect.objectContaining({ field })),
  );

  it('describes a tool by an object of properties, for any schema', () =>
    expect(build({}).tools).toEqual([
      {
        name: 'search',
        description: 'finds',
        input_schema: { type: 'object', properties: { q: {} } },
        cache_control: SHORT,
      },
    ]));

  describe('marks what the provider may keep', () => {
    const instruction: PromptMessage = { role: 'system', content: 'Be kind.' };
    const round: readonly PromptMessage[] = [
      { role: 'assistant', content: 'x', toolCalls: [{ id: 'c', name: 'search', arguments: '{}' }] },
      { role: 'tool', toolCallId: 'c', content: 'found' },
    ];
    const marksOf = (parameters: JsonObject, messages: readonly PromptMessage[], tools = [tool]) => {
      const request = build(parameters, messages, tools);
      const marked = (parts: readonly object[] = []) => parts.map((part) => 'cache_control' in part);
      return [
        marked(request.tools),
        marked(request.system),
        ...request.messages.map(({ content }) => marked(content)),
      ];
    };

    it('tools, instructions and the end of a conversation with tools', () =>
      expect(marksOf({}, [instruction, question])).toEqual([[true], [true], [true]]));

    it('also the end of the question before the last answer', () =>
      expect(marksOf({}, [instruction, question, ...round])).toEqual([
        ...[[true], [true]],
        ...[[true], [false, false], [true]],
      ]));

    it('no single question, which nothing repeats', () =>
      expect(marksOf({}, [instruction, question], [])).toEqual([[], [true], [false]]));

    it('at most four parts', () => {
      const request = build({}, [instruction, question, ...round, ...round, ...round]);
      expect(JSON.stringify(request).split('cache_control').length - 1).toBe(4);
    });

    it.each([
      ['5m', SHORT],
      ['1h', { type: 'ephemeral', ttl: '1h' }],
      ['off', undefined],
    ])('for as long as prompt_cache says: %s', (prompt_cache, expected) =>
      expect(build({ prompt_cache }).tools?.[0]?.cache_control).toEqual(expected),
    );
  });
});
