import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '#libs/kernel';
import type { StreamedDelta } from '../model-calls/answer-decoder.js';
import { MessagesStreamDecoder } from './decode-messages-stream.js';
import { endingOfMessage } from './messages-body.js';

const usage = { input_tokens: 12, output_tokens: 5 };
const start = (index: number, content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block,
});
const grown = (index: number, delta: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta,
});
const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });
const begin: JsonObject = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude', content: [], usage: { input_tokens: 12, output_tokens: 1 } },
};
const end = (stop_reason = 'end_turn'): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage: { output_tokens: 5 },
});

type Block = JsonObject & { readonly type: string };
const thinking = (text: string): Block => ({ type: 'thinking', thinking: text, signature: 'sig' });
const text = (content: string): Block => ({ type: 'text', text: content });
const call = (id: string, input: JsonObject): Block => ({ type: 'tool_use', id, name: 'search', input });
const BLOCKS: readonly Block[] = [
  thinking('hm 🍎'),
  thinking('so'),
  text('Let me '),
  text('look.'),
  call('c1', { q: 'ä"\\' }),
  thinking(''),
  call('c2', {}),
  { type: 'sparkle', field: 1 },
  text('世界'),
];

function play(...events: JsonObject[]) {
  const decoder = new MessagesStreamDecoder();
  const deltas = events.flatMap((event) => [...decoder.push(event)]);
  return { decoder, deltas, ending: decoder.ending ?? decoder.end() };
}

/** The pieces of a text, cut at these places. */
function cut(whole: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
}

function eventsOf(block: Block, index: number, places: readonly number[]): JsonObject[] {
  const pieces = (whole: unknown, toDelta: (piece: string) => JsonObject) =>
    cut(String(whole), places).map((piece) => grown(index, toDelta(piece)));
  switch (block.type) {
    case 'text':
      return [
        start(index, { type: 'text', text: '' }),
        ...pieces(block['text'], (piece) => ({ type: 'text_delta', text: piece })),
        stop(index),
      ];
    case 'thinking':
      return [
        start(index, { type: 'thinking', thinking: '', signature: '' }),
        ...pieces(block['thinking'], (piece) => ({ type: 'thinking_delta', thinking: piece })),
        ...pieces(block['signature'], (signature) => ({ type: 'signature_delta', signature })),
        stop(index),
      ];
    case 'tool_use':
      return [
        start(index, { ...block, input: {} }),
        ...pieces(JSON.stringify(block['input']), (partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
        stop(index),
      ];
    default:
      return [start(index, block), stop(index)];
  }
}

const whole = endingOfMessage({
  ...{ id: 'msg_1', model: 'claude', content: [...BLOCKS] },
  ...{ stop_reason: 'tool_use', usage },
});
const shownText = (deltas: readonly StreamedDelta[], kind: 'text' | 'thinking') =>
  deltas.map((delta) => (delta.kind === kind ? delta.content : '')).join('');

describe('MessagesStreamDecoder', () => {
  it('reads any cutting of one answer as the whole answer, and shows what it stores', () => {
    const places = fc.array(fc.nat(100), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(places, { minLength: BLOCKS.length, maxLength: BLOCKS.length }), (cuts) => {
        const events = BLOCKS.flatMap((block, index) => eventsOf(block, index, cuts[index] ?? []));
        const { ending, deltas } = play(begin, ...events, end('tool_use'));
        expect(ending).toEqual(whole);
        const answer = ending?.kind === 'answered' ? ending.answer : null;
        expect(shownText(deltas, 'text')).toBe(answer?.text);
        expect(shownText(deltas, 'thinking')).toBe(answer?.thinking);
        expect(deltas.filter(({ kind }) => kind === 'tool_call')).toHaveLength(2);
      }),
    );
  });

  it('keeps reasoning and blocks of unknown types for the next request, in their order', () =>
    expect(whole).toMatchObject({
      kind: 'answered',
      answer: {
        text: 'Let me look.\n世界',
        thinking: 'hm 🍎\nso',
        toolCalls: [
          { id: 'c1', name: 'search', arguments: '{"q":"ä\\"\\\\"}' },
          { id: 'c2', name: 'search', arguments: '{}' },
        ],
        providerItems: [thinking('hm 🍎'), thinking('so'), thinking(''), { type: 'sparkle', field: 1 }],
        parts: [
          { kind: 'reasoning', index: 0 },
          { kind: 'reasoning', index: 1 },
          { kind: 'message', text: 'Let me look.' },
          { kind: 'call', callId: 'c1' },
          { kind: 'reasoning', index: 2 },
          { kind: 'call', callId: 'c2' },
          { kind: 'reasoning', index: 3 },
          { kind: 'message', text: '世界' },
        ],
        usage: { input_tokens: 12, output_tokens: 5 },
      },
    }));

  it.each([
    ['end_turn', null],
    ['stop_sequence', null],
    ['tool_use', null],
    ['a_word_of_next_year', null],
    ['max_tokens', 'max_output_tokens'],
    ['model_context_window_exceeded', 'max_output_tokens'],
    ['refusal', 'content_filter'],
  ])('L11: an answer that stops by %s is incomplete by %s', (reason, incompleteReason) => {
    const { ending } = play(begin, grown(0, { type: 'text_delta', text: 'half' }), end(reason));
    expect(ending).toMatchObject({ kind: 'answered', answer: { text: 'half', incompleteReason } });
  });

  it('an answer of nothing that stops by an unknown word has failed, with its usage', () =>
    expect(play(begin, end('sparkle')).ending).toMatchObject({
      ...{ kind: 'failed', code: 'sparkle' },
      reported: { responseId: 'msg_1', model: 'claude', usage: { total_tokens: 17 } },
    }));

  it('a refused answer of nothing is incomplete, not failed', () =>
    expect(play(begin, end('refusal')).ending).toMatchObject({
      answer: { text: '', incompleteReason: 'content_filter' },
    }));

  const half = [
    ...eventsOf(call('c1', { q: 1 }), 0, []),
    start(1, { type: 'tool_use', id: 'c2', name: 'search', input: {} }),
    grown(1, { type: 'input_json_delta', partial_json: '{"q' }),
  ];
  it.each([
    ['max_tokens', ['c1']],
    ['refusal', []],
    ['tool_use', ['c1', 'c2']],
  ])('keeps of a whole and a half call, where it stops by %s, those of %j', (reason, ids) => {
    const { ending } = play(begin, ...half, end(reason));
    expect(ending?.kind === 'answered' && ending.answer.toolCalls.map(({ id }) => id)).toEqual(ids);
  });

  it('counts calls without a name', () => {
    const nameless = start(0, { type: 'tool_use', id: 'c', input: {} });
    expect(play(begin, nameless, end('tool_use')).ending).toMatchObject({
      answer: { toolCalls: [], droppedCalls: 1 },
    });
  });

  it('a pause has what the next request returns, the input of calls as objects', () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
    const { ending } = play(
      ...[begin, start(0, search), grown(0, { type: 'input_json_delta', partial_json: '{"query":"a"}' })],
      end('pause_turn'),
    );
    expect(ending).toMatchObject({
      ...{ kind: 'paused', content: [{ ...search, input: { query: 'a' } }] },
      answer: { providerItems: [{ ...search, input: { query: 'a' } }] },
    });
  });

  it('ends with an error event, as its type says', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    expect(play(begin, { type: 'error', error }).ending).toMatchObject({
      ...{ kind: 'failed', code: 'overloaded_error', message: 'Overloaded' },
    });
  });

  it('is no answer before its stop reason', () => {
    const { decoder, ending } = play(begin, grown(0, { type: 'text_delta', text: 'half' }), stop(0));
    expect([ending, decoder.isWhole]).toEqual([null, false]);
  });

  it('S1-36: knows no usage where the end brings none', () => {
    const silent = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
    expect(play(begin, silent).ending).toMatchObject({ answer: { usage: null } });
  });

  it('reads blocks whose beginning never came, and ignores events that it does not know', () => {
    const { ending } = play(
      ...[{ type: 'ping' }, { type: 'sparkle' }, { delta: 'x' }, grown(3, { type: 'text_delta', text: 'a' })],
      ...[grown(3, { type: 'citations_delta', citation: {} }), end()],
    );
    expect(ending).toMatchObject({ answer: { text: 'a', responseId: null, model: null } });
  });

  it.each([
    [start(0, thinking('')), true],
    [start(0, text('')), false],
    [start(0, { type: 'tool_use', id: 'c', name: 'n' }), false],
  ])('expects silence while it reasons: after %j %j', (event, expected) => {
    const { decoder } = play(begin, event);
    expect(decoder.isReasoning).toBe(expected);
    expect(play(begin).decoder.isReasoning).toBe(true);
  });

  it('stops at an answer of too many characters', () => {
    const piece = 'x'.repeat(9_000_000);
    const long = grown(0, { type: 'text_delta', text: piece });
    expect(play(begin, long, long).ending).toMatchObject({ kind: 'failed', code: 'answer_too_large' });
  });
});
