import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { MAX_ANSWER_CHARACTERS } from '../model-calls/answer-decoder.js';
import { buildChatRequest } from './build-chat-request.js';
import { endingOfChat } from './chat-body.js';
import { ChatStreamDecoder } from './decode-chat-stream.js';

const CALL = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function streamed(...deltas: JsonObject[]) {
  const decoder = new ChatStreamDecoder();
  for (const delta of deltas) decoder.push(chunk(delta));
  decoder.push(chunk({}, 'tool_calls'));
  return decoder.end();
}

/** The message that returns an answer to the server, with the output of its call. */
function sentBack(ending: ReturnType<typeof streamed>) {
  if (ending?.kind !== 'answered') throw new Error(`no answer: ${JSON.stringify(ending)}`);
  const { text, toolCalls, providerItems } = ending.answer;
  // Stores and reads the items as the journal does.
  const items = JSON.parse(JSON.stringify(providerItems)) as JsonObject[];
  const { messages } = buildChatRequest({
    model: 'm',
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: text, toolCalls, providerItems: items },
      { role: 'tool', toolCallId: 'c1', content: 'seen' },
    ],
    tools: [],
    parameters: {},
    stream: true,
    dialect: { limitField: 'max_tokens', streamsUsage: true },
  });
  return messages[1];
}

const SIGNED = { google: { thought_signature: 'c2ln' } };
const plain = { role: 'assistant', content: null, tool_calls: [CALL] };

describe('reasoning of a server travels back with its calls', () => {
  it.each<[string, JsonObject[], JsonObject]>([
    [
      'reasoning_content, which DeepSeek refuses the next round without',
      [
        { reasoning_content: 'let me ' },
        { reasoning_content: 'look' },
        { tool_calls: [{ index: 0, ...CALL }] },
      ],
      { ...plain, reasoning_content: 'let me look' },
    ],
    [
      'reasoning_details of OpenRouter, in their order and whole, in place of the text that they repeat',
      [
        { reasoning: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'a', index: 0, format: 'f' }] },
        {
          reasoning: 'b',
          reasoning_details: [{ type: 'reasoning.text', text: 'b', index: 0, signature: null }],
        },
        { reasoning_details: [{ type: 'reasoning.text', signature: 's1', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', index: 1, id: 'r1' }] },
        { tool_calls: [{ index: 0, ...CALL }] },
      ],
      {
        ...plain,
        reasoning_details: [
          { type: 'reasoning.text', text: 'ab', index: 0, format: 'f', signature: 's1' },
          { type: 'reasoning.encrypted', data: 'xyz', index: 1, id: 'r1' },
        ],
      },
    ],
    [
      'details without numbers, each until it is signed',
      [
        { reasoning_details: [{ type: 'reasoning.text', text: 'a' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'b', signature: 's1' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'c', signature: 's2' }] },
        { tool_calls: [{ index: 0, ...CALL }] },
      ],
      {
        ...plain,
        reasoning_details: [
          { type: 'reasoning.text', text: 'ab', signature: 's1' },
          { type: 'reasoning.text', text: 'c', signature: 's2' },
        ],
      },
    ],
    [
      'the signature of a call, which Gemini refuses the call without',
      [{ tool_calls: [{ index: 0, ...CALL, extra_content: SIGNED }] }],
      { ...plain, tool_calls: [{ ...CALL, extra_content: SIGNED }] },
    ],
    [
      'a signature that comes after the call has begun',
      [{ tool_calls: [{ index: 0, ...CALL }] }, { tool_calls: [{ index: 0, extra_content: SIGNED }] }],
      { ...plain, tool_calls: [{ ...CALL, extra_content: SIGNED }] },
    ],
    ['nothing where nothing came', [{ tool_calls: [{ index: 0, ...CALL }] }], plain],
  ])('%s', (_name, deltas, expected) => {
    expect(sentBack(streamed(...deltas))).toEqual(expected);
  });

  it('from a body in one piece as well', () => {
    const reasoning_details = [{ type: 'reasoning.text', text: 'a', signature: 's' }];
    const message = { content: null, reasoning_details, tool_calls: [{ ...CALL, extra_content: SIGNED }] };
    expect(sentBack(endingOfChat({ choices: [{ message, finish_reason: 'tool_calls' }] }))).toEqual({
      ...plain,
      tool_calls: [{ ...CALL, extra_content: SIGNED }],
      reasoning_details,
    });
  });

  it('as far as an answer may be long', () => {
    const data = 'x'.repeat(MAX_ANSWER_CHARACTERS);
    for (const delta of [
      { reasoning_details: [{ type: 'reasoning.encrypted', data }] },
      { tool_calls: [{ index: 0, ...CALL, extra_content: { data } }] },
    ])
      expect(streamed(delta)).toMatchObject({ kind: 'failed', code: 'answer_too_large' });
  });
});
