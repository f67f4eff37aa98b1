import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { buildChatRequest } from './build-chat-request.js';
import { endingOfChat } from './chat-body.js';
import { ChatStreamDecoder } from './decode-chat-stream.js';

/** Chunks as Gemini's OpenAI-compatible address sends them: calls without an index, signed, ended by `stop`. */
const chunk = (
  delta: JsonObject,
  finish_reason: string | null = null,
  more: JsonObject = {},
): JsonObject => ({
  ...{ id: 'g1', object: 'chat.completion.chunk', created: 1, model: 'gemini-3.8-flash' },
  choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason }],
  ...more,
});
const signed = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } });
const call = (id: string, written: string, more: object = {}): JsonObject => ({
  ...{ id, type: 'function', function: { name: 'search', arguments: written } },
  ...more,
});
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 };

function play(...chunks: JsonObject[]) {
  const decoder = new ChatStreamDecoder();
  for (const one of chunks) decoder.push(one);
  const ending = decoder.ending ?? decoder.end();
  return ending?.kind === 'answered' ? ending.answer : null;
}
const calls = (answer: ReturnType<typeof play>) =>
  answer?.toolCalls.map(({ id, arguments: written }) => `${id} ${written}`);
const kept = (byCall: object) => [
  { type: 'chat_reasoning', field: 'reasoning_content', text: '', calls: byCall },
];

describe('answers of Gemini by its OpenAI-compatible address', () => {
  it.each<[string, JsonObject[], string[], object]>([
    [
      'a call without an index, whole in one chunk',
      [chunk({ tool_calls: [call('a', '{"q":1}', signed('s1'))] }), chunk({}, 'stop', { usage })],
      ['a {"q":1}'],
      { a: signed('s1') },
    ],
    [
      'a call in the chunk that ends the answer',
      [chunk({ tool_calls: [call('a', '{"q":1}', signed('s1'))] }, 'stop', { usage })],
      ['a {"q":1}'],
      { a: signed('s1') },
    ],
    [
      'two calls in one chunk, of which the first is signed',
      [chunk({ tool_calls: [call('a', '{"q":1}', signed('s1')), call('b', '{"q":2}')] }, 'stop', { usage })],
      ['a {"q":1}', 'b {"q":2}'],
      { a: signed('s1') },
    ],
    [
      'two calls in two chunks, both without an index',
      [
        chunk({ tool_calls: [call('a', '{"q":1}', signed('s1'))] }),
        chunk({ tool_calls: [call('b', '{"q":2}')] }),
        chunk({}, 'stop', { usage }),
      ],
      ['a {"q":1}', 'b {"q":2}'],
      { a: signed('s1') },
    ],
    [
      'two equal calls with index 0 for both',
      [
        chunk({ tool_calls: [{ index: 0, ...call('a', '{}', signed('s1')) }] }),
        chunk({ tool_calls: [{ index: 0, ...call('b', '{}') }] }),
        chunk({}, 'stop', { usage }),
      ],
      ['a {}', 'b {}'],
      { a: signed('s1') },
    ],
    [
      'arguments in pieces without an index, and the signature in a chunk of its own',
      [
        chunk({ tool_calls: [call('a', '{"q"')] }),
        chunk({ tool_calls: [{ function: { arguments: ':1}' } }] }),
        chunk({ tool_calls: [signed('s1')] }),
        chunk({}, 'stop', { usage }),
      ],
      ['a {"q":1}'],
      { a: signed('s1') },
    ],
    [
      'a call without an id',
      [chunk({ tool_calls: [call('', '{"q":1}', signed('s1'))] }), chunk({}, 'stop', { usage })],
      ['call_1 {"q":1}'],
      { call_1: signed('s1') },
    ],
  ])('are read: %s', (_case, chunks, expected, signatures) => {
    const answer = play(...chunks);
    expect(calls(answer)).toEqual(expected);
    expect(answer?.providerItems).toEqual(kept(signatures));
  });

  it('count what was reasoned as output, which only the total has', () =>
    expect(play(chunk({ content: 'hi' }, 'stop', { usage }))?.usage).toMatchObject({
      ...{ input_tokens: 10, output_tokens: 30, total_tokens: 40 },
    }));

  it('repeat their usage in every chunk, of which the last counts', () => {
    const early = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    const answer = play(
      chunk({ content: 'h' }, null, { usage: early }),
      chunk({ content: 'i' }, 'stop', { usage }),
    );
    expect(answer).toMatchObject({ text: 'hi', usage: { output_tokens: 30 } });
  });

  it('have the same content without a stream', () => {
    const message = { role: 'assistant', tool_calls: [call('a', '{"q":1}', signed('s1'))] };
    const ending = endingOfChat({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage });
    expect(ending).toMatchObject({
      answer: {
        toolCalls: [{ id: 'a' }],
        providerItems: kept({ a: signed('s1') }),
        usage: { total_tokens: 40 },
      },
    });
  });

  it('go back with the signature of each call, without which the next round is refused', () => {
    const answer = play(chunk({ tool_calls: [call('a', '{"q":1}', signed('s1'))] }, 'stop', { usage }));
    const { messages } = buildChatRequest({
      ...{ model: 'gemini-3.8-flash', tools: [], parameters: {}, stream: true },
      dialect: { limitField: 'max_tokens', streamsUsage: true },
      messages: [
        { role: 'user', content: 'hi' },
        {
          ...{ role: 'assistant', content: '' },
          toolCalls: answer?.toolCalls ?? [],
          providerItems: answer?.providerItems ?? [],
        },
        { role: 'tool', toolCallId: 'a', content: 'found' },
      ],
    });
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call('a', '{"q":1}', signed('s1'))],
    });
  });
});
