import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import type { StreamedDelta } from '../model-calls/answer-decoder.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { ChatStreamDecoder } from './decode-chat-stream.js';

const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
});
const choice = (given: JsonObject, finish: string | null = null): JsonObject => ({
  choices: [{ index: 0, finish_reason: finish, ...given }],
});
const piece = (call: JsonObject) => chunk({ tool_calls: [call] });
const called = (name: string, written?: string) => ({
  name,
  ...(written !== undefined && { arguments: written }),
});

function play(...chunks: JsonObject[]): { deltas: StreamedDelta[]; ending: ResponseEnding | null } {
  const decoder = new ChatStreamDecoder();
  const deltas = chunks.flatMap((one) => decoder.push(one));
  return { deltas, ending: decoder.end() };
}
function answerOf(...chunks: JsonObject[]) {
  const { ending } = play(...chunks);
  if (ending?.kind !== 'answered') throw new Error(`no answer: ${JSON.stringify(ending)}`);
  return ending.answer;
}
describe('ChatStreamDecoder, at a server that differs', () => {
  it.each<[string, JsonObject[], string[]]>([
    [
      'every call with the index 0, distinguished by id',
      [
        { index: 0, id: 'a', function: called('n', '1') },
        { index: 0, id: 'b', function: called('n', '2') },
      ],
      ['a n 1', 'b n 2'],
    ],
    [
      'calls without id or index, distinguished by name',
      [{ function: called('n', '1') }, { function: called('n', '2') }],
      ['call_1 n 1', 'call_2 n 2'],
    ],
    [
      'calls without an id that all have the index 0',
      [
        { index: 0, function: called('n', '{"a"') },
        { index: 0, function: called('n', ':1}') },
        { index: 0, function: called('n', '{}') },
      ],
      ['call_1 n {"a":1}', 'call_2 n {}'],
    ],
    [
      'interleaved calls',
      [
        { index: 0, id: 'a', function: called('n', '1') },
        { index: 1, id: 'b', function: called('m', '2') },
        { index: 0, function: { arguments: '3' } },
      ],
      ['a n 13', 'b m 2'],
    ],
    [
      'one id for two calls, each of which gets an id of its own',
      [
        { index: 0, id: 'a', function: called('n', '1') },
        { index: 1, id: 'a', function: called('n', '2') },
      ],
      ['a n 1', 'a_2 n 2'],
    ],
    [
      'one id for two calls without an index',
      [
        { id: 'a', function: called('n', '{"q":1}') },
        { id: 'a', function: called('n', '{"q":2}') },
      ],
      ['a n {"q":1}', 'a_2 n {"q":2}'],
    ],
    [
      'a name in pieces',
      [
        { index: 0, id: 'a', function: called('get_', '') },
        { index: 0, function: { name: 'weather' } },
        { index: 0, function: { arguments: '{}' } },
      ],
      ['a get_weather {}'],
    ],
    [
      'a name in pieces without an index',
      [
        { id: 'a', function: called('get_') },
        { function: called('weather') },
        { function: called('', '{}') },
      ],
      ['a get_weather {}'],
    ],
    [
      'a name that comes ever longer',
      [
        { index: 0, id: 'a', function: called('get') },
        { index: 0, id: 'a', function: called('get_weather', '{}') },
      ],
      ['a get_weather {}'],
    ],
    [
      'arguments before the name',
      [
        { index: 0, function: { arguments: '{"q":' } },
        { index: 0, function: { arguments: '1}' } },
        { index: 0, id: 'a', function: called('n') },
      ],
      ['a n {"q":1}'],
    ],
    [
      'ids that change with every piece',
      [
        { index: 0, id: 'a', function: called('n', '') },
        { index: 0, id: 'b', function: { arguments: '{"q":' } },
        { index: 0, id: 'c', function: { arguments: '1}' } },
      ],
      ['a n {"q":1}'],
    ],
    [
      'ids that change, with the name again each time',
      [
        { index: 0, id: 'a', function: called('n', '{"q":') },
        { index: 0, id: 'b', function: called('n', '1}') },
      ],
      ['a n {"q":1}'],
    ],
    [
      'whole arguments that come again',
      [
        { index: 0, id: 'a', function: called('n', '{"q":') },
        { index: 0, function: { arguments: '1}' } },
        { index: 0, id: 'a', function: called('n', '{"q":1}') },
      ],
      ['a n {"q":1}'],
    ],
    [
      'name and arguments without a function around them',
      [{ index: 0, id: 'a', name: 'n', arguments: '{}' }],
      ['a n {}'],
    ],
  ])('understands %s', (_case, pieces, expected) => {
    const { ending } = play(...pieces.map(piece), chunk({ content: 't' }, 'tool_calls'));
    const calls = ending?.kind === 'answered' ? ending.answer.toolCalls : [];
    expect(calls.map((call) => `${call.id} ${call.name} ${call.arguments}`)).toEqual(expected);
  });

  it.each<[string, JsonObject[], string, number | undefined]>([
    ['of one', [{ index: 0, id: 'a', function: { arguments: '{}' } }], 'tool_calls', 1],
    [
      'of each',
      [
        { function: { arguments: '{"q":1}' } },
        { index: 1, id: 'b', function: called('n', '{}') },
        { index: 2, id: 'c' },
      ],
      'stop',
      2,
    ],
    ['not of a piece that says nothing', [{ index: 0, id: '', function: called('', '') }], 'stop', undefined],
    ['not where a limit says it', [{ index: 0, id: 'a', function: { arguments: '{' } }], 'length', undefined],
  ])('counts calls without a name: %s', (_case, pieces, finish, dropped) => {
    const answer = answerOf(...pieces.map(piece), chunk({ content: 't' }, finish));
    expect(answer.droppedCalls).toBe(dropped);
    expect(answer.toolCalls.map(({ id }) => id)).toEqual(pieces.length > 1 ? ['b'] : []);
  });

  it('joins a name whose pieces have another id each', () => {
    const pieces = [
      { index: 0, id: 'a', function: called('get_') },
      { index: 1, id: 'b', function: called('list', '') },
      { index: 0, id: 'c', function: called('weather') },
      { index: 0, id: 'd', function: { arguments: '{"q":' } },
      { index: 0, id: 'e', function: { arguments: '1}' } },
    ];
    const { toolCalls } = answerOf(...pieces.map(piece), chunk({}, 'tool_calls'));
    expect(toolCalls.map((call) => `${call.id} ${call.name} ${call.arguments}`)).toEqual([
      'a get_weather {"q":1}',
      'b list ',
    ]);
  });

  it.each<[string, JsonObject[], object]>([
    [
      'in place of a delta',
      [choice({ message: { content: 'Hello there.' } }, 'stop')],
      { text: 'Hello there.' },
    ],
    [
      'in place of each delta',
      [
        choice({ message: { content: 'Hello ' } }),
        choice({ message: { content: 'there.' } }),
        chunk({}, 'stop'),
      ],
      { text: 'Hello there.' },
    ],
    [
      'that is ever longer',
      [choice({ message: { content: 'Hello ' } }), choice({ message: { content: 'Hello there.' } }, 'stop')],
      { text: 'Hello there.' },
    ],
    [
      'after all deltas',
      [
        chunk({ reasoning_content: 'hm' }),
        chunk({ content: 'Hello ' }),
        chunk({ content: 'there.' }),
        piece({ index: 0, id: 'a', function: called('n', '{"q":1}') }),
        choice(
          {
            message: {
              content: 'Hello there.',
              reasoning_content: 'hm',
              tool_calls: [{ id: 'a', function: called('n', '{"q":1}') }],
            },
          },
          'tool_calls',
        ),
      ],
      { text: 'Hello there.', thinking: 'hm', toolCalls: [{ id: 'a', name: 'n', arguments: '{"q":1}' }] },
    ],
    [
      'that says what the deltas have left out',
      [
        chunk({ content: 'Hello ' }),
        piece({ index: 0, id: 'a', function: called('n') }),
        choice(
          {
            message: { content: 'Hello there.', tool_calls: [{ id: 'a', function: called('n', '{"q":1}') }] },
          },
          'tool_calls',
        ),
      ],
      { text: 'Hello there.', toolCalls: [{ id: 'a', name: 'n', arguments: '{"q":1}' }] },
    ],
  ])('reads a message %s', (_case, chunks, expected) => expect(answerOf(...chunks)).toMatchObject(expected));

  it.each<[string, JsonObject[], string[]]>([
    [
      'a function_call in pieces',
      [
        chunk({ function_call: called('n', '{"q":') }),
        chunk({ function_call: { arguments: '1}' } }),
        chunk({}, 'function_call'),
      ],
      ['call_1 n {"q":1}'],
    ],
    [
      'the tool_calls where a function_call says the same',
      [
        chunk({
          tool_calls: [{ index: 0, id: 'a', function: called('n', '{}') }],
          function_call: called('n', '{}'),
        }),
        chunk({}, 'tool_calls'),
      ],
      ['a n {}'],
    ],
    [
      'a single call in the place of the list',
      [chunk({ tool_calls: { id: 'a', function: called('n', '{}') } }), chunk({}, 'tool_calls')],
      ['a n {}'],
    ],
  ])('reads %s', (_case, chunks, expected) =>
    expect(answerOf(...chunks).toolCalls.map((call) => `${call.id} ${call.name} ${call.arguments}`)).toEqual(
      expected,
    ),
  );

  it('reads a choice whose index is null', () =>
    expect(answerOf(choice({ index: null, delta: { content: 'a' } }, 'stop')).text).toBe('a'));
});
