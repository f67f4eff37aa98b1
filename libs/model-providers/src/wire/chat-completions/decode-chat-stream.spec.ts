import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { MAX_ANSWER_CHARACTERS, type StreamedDelta } from '../model-calls/answer-decoder.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { ChatStreamDecoder } from './decode-chat-stream.js';

const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
});
const usageChunk = (usage: JsonObject | null): JsonObject => ({ choices: [], usage });
const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
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
const callsOf = (...pieces: JsonObject[]) =>
  answerOf(...pieces.map(piece), chunk({}, 'tool_calls')).toolCalls.map(
    (call) => `${call.id} ${call.name} ${call.arguments}`,
  );

describe('ChatStreamDecoder', () => {
  it('shows an answer while it grows and restores it when it is whole', () => {
    const { deltas, ending } = play(
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'hm' }),
      chunk({ content: 'he' }),
      chunk({ content: 'llo' }),
      piece({ index: 0, id: 'c1', function: called('search', '') }),
      piece({ index: 0, function: { arguments: '{"q":' } }),
      piece({ index: 0, function: { arguments: '1}' } }),
      chunk({}, 'tool_calls'),
      usageChunk({ ...USAGE, prompt_tokens_details: { cached_tokens: 3 } }),
    );
    expect(deltas).toEqual([
      { kind: 'thinking', content: 'hm' },
      { kind: 'text', content: 'he' },
      { kind: 'text', content: 'llo' },
      { kind: 'tool_call' },
    ]);
    expect(ending).toEqual({
      kind: 'answered',
      answer: {
        responseId: 'chatcmpl-1',
        model: 'm-1',
        text: 'hello',
        thinking: 'hm',
        toolCalls: [{ id: 'c1', name: 'search', arguments: '{"q":1}' }],
        usage: {
          input_tokens: 9,
          cached_input_tokens: 3,
          output_tokens: 4,
          reasoning_tokens: 0,
          total_tokens: 13,
        },
        incompleteReason: null,
        providerItems: [{ type: 'chat_reasoning', field: 'reasoning_content', text: 'hm' }],
      },
    });
  });

  it('is whole with its reason to end, and over with its usage', () => {
    const decoder = new ChatStreamDecoder();
    decoder.push(chunk({ content: 'a' }));
    expect([decoder.isWhole, decoder.ending, decoder.end()]).toEqual([false, null, null]);
    decoder.push(chunk({}, 'stop'));
    expect([decoder.isWhole, decoder.ending, decoder.end()?.kind]).toEqual([true, null, 'answered']);
    decoder.push(usageChunk(USAGE));
    expect(decoder.ending).toMatchObject({ kind: 'answered', answer: { usage: { total_tokens: 13 } } });
  });

  it.each<[string, JsonObject[]]>([
    ['a call in one piece', [{ index: 0, id: 'a', function: called('n', '{}') }]],
    ['a call without an index', [{ id: 'a', function: called('n', '{}') }]],
    [
      'its name again with each piece',
      [
        { index: 0, id: 'a', function: called('n', '{') },
        { index: 0, id: 'a', function: called('n', '}') },
      ],
    ],
    ['pieces without an index', [{ id: 'a', function: called('n') }, { function: { arguments: '{}' } }]],
    ['the object itself as arguments', [{ index: 0, id: 'a', function: { name: 'n', arguments: {} } }]],
    ['no arguments at all', [{ index: 0, id: 'a', function: called('n') }]],
  ])('understands %s', (_case, pieces) => expect(callsOf(...pieces)).toEqual(['a n {}']));

  it.each<[string, JsonObject, object]>([
    ['reasoning', { reasoning: 'hm' }, { thinking: 'hm' }],
    ['both names at once', { reasoning: 'hm', reasoning_content: 'hm' }, { thinking: 'hm' }],
    [
      'parts',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'a' },
        ],
      },
      { thinking: 'hm', text: 'a' },
    ],
    ['a refusal', { refusal: 'No.' }, { text: 'No.' }],
    ['null', { content: null, reasoning_content: null, refusal: null, tool_calls: null }, { text: '' }],
  ])('reads %s', (_case, delta, expected) =>
    expect(answerOf(chunk(delta), chunk({}, 'stop'))).toMatchObject(expected),
  );

  it('holds half a character back until it is whole, and cleans what no database stores', () => {
    const { deltas, ending } = play(
      chunk({ content: '\ud83c' }),
      chunk({ content: '\udf4e\u0000' }),
      chunk({ content: '\ud83c' }, 'stop'),
    );
    expect(deltas.map((delta) => (delta.kind === 'text' ? delta.content : ''))).toEqual(['🍎', '\ufffd']);
    expect(ending).toMatchObject({ answer: { text: '🍎\ufffd' } });
  });

  it.each<[string, string | null]>([
    ['length', 'max_output_tokens'],
    ['max_tokens', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
    ['stop', null],
    ['eos_token', null],
    ['COMPLETE', null],
  ])('with the end %j is incomplete by %j', (reason, expected) =>
    expect(answerOf(chunk({ content: 'half' }, reason))).toMatchObject({
      text: 'half',
      incompleteReason: expected,
    }),
  );

  it('drops the call that a limit cut in half, and no other', () => {
    const pieces = [
      piece({ index: 0, id: 'a', function: called('n', '{}') }),
      piece({ index: 1, id: 'b', function: called('n', '{"q') }),
    ];
    expect(answerOf(...pieces, chunk({}, 'length')).toolCalls.map(({ id }) => id)).toEqual(['a']);
    expect(answerOf(...pieces, chunk({}, 'tool_calls')).toolCalls).toHaveLength(2);
  });

  it.each<[string, JsonObject[], object]>([
    ['a reason that says so', [chunk({ content: 'a' }, 'error')], { code: 'error', status: 'failed' }],
    [
      'an error of the choice, in its words',
      [chunk({}, 'error', { error: { code: 'overloaded', message: 'busy' } }), usageChunk(USAGE)],
      { code: 'overloaded', message: 'busy', reported: { usage: { total_tokens: 13 } } },
    ],
    ['an error instead of a choice', [{ error: { code: 'x', message: 'y' } }], { code: 'x', message: 'y' }],
    ['nothing said for an unknown reason', [chunk({}, 'malformed_call')], { code: 'malformed_call' }],
  ])('fails with %s', (_case, chunks, expected) =>
    expect(play(...chunks).ending).toMatchObject({ kind: 'failed', ...expected }),
  );

  it('is not an answer without a reason to end', () =>
    expect(play(chunk({ content: 'half' }), usageChunk(USAGE)).ending).toBeNull());

  it('counts as reasoning until something is written', () => {
    const decoder = new ChatStreamDecoder();
    decoder.push(chunk({ role: 'assistant', content: '' }));
    decoder.push(chunk({ reasoning: 'hm' }));
    expect(decoder.isReasoning).toBe(true);
    decoder.push(chunk({ content: 'a' }));
    expect(decoder.isReasoning).toBe(false);
  });

  it('gives up on an answer longer than any can be', () => {
    const half = 'x'.repeat(MAX_ANSWER_CHARACTERS / 2 + 1);
    expect(play(chunk({ content: half }), chunk({ reasoning: half })).ending).toMatchObject({
      kind: 'failed',
      code: 'answer_too_large',
    });
  });

  it.each([
    [null],
    ['[DONE]'],
    [{}],
    [{ choices: 'x' }],
    [{ choices: [{ index: 1, delta: { content: 'b' } }] }],
  ])('makes nothing of %j', (event) => expect(new ChatStreamDecoder().push(event)).toEqual([]));

  it('takes the usage that was reported last, where every chunk reports it', () =>
    expect(
      answerOf(
        { ...chunk({ content: 'a' }), usage: { prompt_tokens: 9, completion_tokens: 1 } },
        { ...chunk({}, 'stop'), usage: USAGE },
      ).usage?.output_tokens,
    ).toBe(4));

  const ZEROS = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  it.each<[string, JsonObject[], number | null]>([
    ['zeros before the real one', [{ ...chunk({}, 'stop'), usage: ZEROS }, usageChunk(USAGE)], 13],
    ['zeros after the real one', [{ ...chunk({}, 'stop'), usage: USAGE }, usageChunk(ZEROS)], 13],
    [
      'one half in each of two chunks',
      [
        { ...chunk({}, 'stop'), usage: { prompt_tokens: 9, completion_tokens: 0 } },
        usageChunk({ prompt_tokens: 0, completion_tokens: 4 }),
      ],
      13,
    ],
    ['in the choice', [chunk({}, 'stop', { usage: USAGE })], 13],
    ['in a field of its own', [{ ...chunk({}, 'stop'), x_groq: { usage: USAGE } }], 13],
    ['zeros alone', [{ ...chunk({}, 'stop'), usage: ZEROS }], null],
    ['nothing', [chunk({}, 'stop')], null],
  ])('takes for the usage what is known of it: %s', (_case, chunks, expected) =>
    expect(answerOf(chunk({ content: 'a' }), ...chunks).usage?.total_tokens ?? null).toBe(expected),
  );

  it('waits for usage where what came was zeros', () => {
    const decoder = new ChatStreamDecoder();
    decoder.push({ ...chunk({ content: 'a' }, 'stop'), usage: ZEROS });
    expect(decoder.ending).toBeNull();
    decoder.push(usageChunk(USAGE));
    expect(decoder.ending).not.toBeNull();
  });
});
