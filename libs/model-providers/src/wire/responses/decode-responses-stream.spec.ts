import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { MAX_ANSWER_CHARACTERS } from '../model-calls/answer-decoder.js';
import { ResponsesStreamDecoder } from './decode-responses-stream.js';

const text = (delta: unknown) => ({ type: 'response.output_text.delta', delta });
const summary = (delta: string) => ({ type: 'response.reasoning_summary_text.delta', delta });
const argumentsDelta = (itemId: string, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  item_id: itemId,
  delta,
});
const done = (item: object) => ({ type: 'response.output_item.done', item });
const ended = (type: string, response: object = {}) => ({ type, response });
const completed = ended('response.completed', { id: 'r', model: 'm', status: 'completed', output: [] });

function decode(events: readonly unknown[]) {
  const decoder = new ResponsesStreamDecoder();
  const deltas = events.flatMap((event) => decoder.push(event));
  const { ending } = decoder;
  return { deltas, ending, answer: ending?.kind === 'answered' ? ending.answer : undefined };
}

describe('ResponsesStreamDecoder', () => {
  it('shows text and thinking as they come and restores both', () => {
    const { deltas, answer } = decode([summary('hm'), text('he'), text('llo'), completed]);
    expect(deltas).toEqual([
      { kind: 'thinking', content: 'hm' },
      { kind: 'text', content: 'he' },
      { kind: 'text', content: 'llo' },
    ]);
    expect(answer).toMatchObject({ responseId: 'r', model: 'm', text: 'hello', thinking: 'hm' });
  });

  it('reads reasoning_text as thinking too', () =>
    expect(decode([{ type: 'response.reasoning_text.delta', delta: 'a' }]).deltas).toEqual([
      { kind: 'thinking', content: 'a' },
    ]));

  it.each<[string, unknown[]]>([
    ['empty deltas', [text('')]],
    ['deltas that are no text', [text(3), text(null), { type: 'response.output_text.delta' }]],
    ['unknown events', [{ type: 'response.sparkle', delta: 'x' }, { type: 7 }, {}]],
    ['what is no event at all', [null, 'text', 4, [], undefined]],
  ])('skips %s', (_case, events) =>
    expect(decode([...events, completed])).toMatchObject({ deltas: [], answer: { text: '' } }),
  );

  it.each<[string, unknown[], unknown[]]>([
    [
      'a call when its item is done',
      [done({ type: 'function_call', id: 'fc', call_id: 'c', name: 'n', arguments: '{"a":1}' })],
      [{ id: 'c', name: 'n', arguments: '{"a":1}' }],
    ],
    [
      'with the pieces of its arguments when the item has none',
      [
        argumentsDelta('fc', '{"a"'),
        argumentsDelta('fc', ':1}'),
        done({ type: 'function_call', id: 'fc', call_id: 'c', name: 'n' }),
      ],
      [{ id: 'c', name: 'n', arguments: '{"a":1}' }],
    ],
    [
      'with an empty object when there are no arguments at all',
      [done({ type: 'function_call', id: 'fc', call_id: 'c', name: 'n' })],
      [{ id: 'c', name: 'n', arguments: '{}' }],
    ],
    [
      'with the id of its item when it has no call_id',
      [done({ type: 'function_call', id: 'fc', name: 'n', arguments: '{}' })],
      [{ id: 'fc', name: 'n', arguments: '{}' }],
    ],
    ['not without a name', [done({ type: 'function_call', id: 'fc', call_id: 'c', arguments: '{}' })], []],
    ['not from pieces of arguments alone', [argumentsDelta('fc', '{"a":1}')], []],
    [
      'not when the provider broke it off',
      [done({ type: 'function_call', call_id: 'c', name: 'n', arguments: '{"a', status: 'incomplete' })],
      [],
    ],
    [
      'twice where two calls have one id, each under an id of its own',
      [
        done({ type: 'function_call', call_id: 'a', name: 'n', arguments: '{"q":1}' }),
        done({ type: 'function_call', call_id: 'b', name: 'other', arguments: '{}' }),
        done({ type: 'function_call', call_id: 'a', name: 'n', arguments: '{"q":2}' }),
      ],
      [
        { id: 'a', name: 'n', arguments: '{"q":1}' },
        { id: 'b', name: 'other', arguments: '{}' },
        { id: 'a_3', name: 'n', arguments: '{"q":2}' },
      ],
    ],
    [
      'once where it is reported twice',
      [
        done({ type: 'function_call', call_id: 'a', name: 'n', arguments: '{"q":1}' }),
        done({ type: 'function_call', call_id: 'a', name: 'n', arguments: '{"q":1}' }),
      ],
      [{ id: 'a', name: 'n', arguments: '{"q":1}' }],
    ],
  ])('S1-35: reports %s', (_case, events, expected) =>
    expect(decode([...events, completed]).answer?.toolCalls).toEqual(expected),
  );

  it('finds calls that only the last event reports', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' };
    expect(decode([ended('response.completed', { output: [item] })]).answer?.toolCalls).toHaveLength(1);
  });

  it('takes text and reasoning from finished items when the last event has no output', () => {
    const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' };
    const message = { type: 'message', content: [{ type: 'output_text', text: 'hi' }] };
    const { answer } = decode([done(reasoning), done(message), completed]);
    expect(answer).toMatchObject({ text: 'hi', providerItems: [reasoning] });
  });

  it.each<[string, unknown, unknown]>([
    [
      'response.failed',
      ended('response.failed', { error: { code: 'server_error', message: 'secret' } }),
      { kind: 'failed', status: 'failed', code: 'server_error', message: 'secret', reported: null },
    ],
    [
      'an error event',
      { type: 'error', code: 'rate_limit_exceeded', message: 'secret' },
      { kind: 'failed', status: null, code: 'rate_limit_exceeded', message: 'secret', reported: null },
    ],
    [
      'an error event that nests what it says',
      { type: 'error', error: { code: 'server_error', message: 'x' } },
      { kind: 'failed', status: null, code: 'server_error', message: 'x', reported: null },
    ],
    [
      'response.cancelled',
      ended('response.cancelled'),
      { kind: 'failed', status: 'cancelled', code: null, message: null, reported: null },
    ],
    [
      'response.incomplete for an unknown reason',
      ended('response.incomplete', {}),
      { kind: 'failed', status: 'incomplete', code: null, message: null, reported: null },
    ],
  ])('ends as failed with %s', (_case, event, expected) =>
    expect(decode([text('partial'), event]).ending).toEqual(expected),
  );

  it.each(['max_output_tokens', 'content_filter'])('keeps the text when cut short by %s', (reason) =>
    expect(
      decode([text('partial'), ended('response.incomplete', { incomplete_details: { reason } })]).answer,
    ).toMatchObject({ text: 'partial', incompleteReason: reason }),
  );

  it.each(['failed', 'cancelled', 'queued', 'in_progress'])(
    'does not take for an answer what says "completed" and holds the status %s',
    (status) =>
      expect(decode([text('a'), ended('response.completed', { status })]).ending).toMatchObject({
        kind: 'failed',
        status,
      }),
  );

  it('takes what says "completed" and holds the status incomplete as cut short', () => {
    const response = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    expect(decode([text('a'), ended('response.completed', response)]).answer).toMatchObject({
      text: 'a',
      incompleteReason: 'content_filter',
    });
  });

  it.each(['failed', 'incomplete'])('believes response.%s more than a status that says "completed"', (type) =>
    expect(decode([ended(`response.${type}`, { status: 'completed' })]).ending).toMatchObject({
      kind: 'failed',
      status: type,
    }),
  );

  const textOf = (deltas: readonly { kind: string; content?: string }[]): string =>
    deltas.map((delta) => (delta.kind === 'text' ? (delta.content ?? '') : '')).join('');
  const at = (item: string, content: number, delta: string) => ({
    ...text(delta),
    item_id: item,
    content_index: content,
  });
  const refusal = (delta: string) => ({ type: 'response.refusal.delta', delta });
  const message = (id: string, ...texts: string[]) => ({
    type: 'message',
    id,
    content: texts.map((one) => ({ type: 'output_text', text: one })),
  });
  const begun = { type: 'response.output_item.added', item: { type: 'message' } };
  it.each<[string, unknown[], string]>([
    ['parts of one message', [at('m', 0, 'a'), at('m', 0, 'b'), at('m', 1, 'c')], 'ab\nc'],
    ['several messages', [at('m', 0, 'a'), at('n', 0, 'b')], 'a\nb'],
    ['messages without a name', [begun, text('a'), begun, text('b')], 'a\nb'],
    ['an empty part', [at('m', 0, ''), at('n', 0, 'b'), at('n', 1, '')], 'b'],
    ['a refusal', [refusal('I '), refusal('cannot')], 'I cannot'],
    ['messages that only come whole', [done(message('m', 'a', 'b')), done(message('n', 'c'))], 'a\nb\nc'],
    ['a message that came in pieces and then whole', [at('m', 0, 'a'), done(message('m', 'a'))], 'a'],
    ['one without a name in its pieces', [begun, text('a'), done(message('m', 'a'))], 'a'],
    ['a message that only the last event reports', [], 'z'],
  ])('S1-34: shows %s as they read when they come in one piece', (_case, events, expected) => {
    const last = events.length > 0 ? completed : ended('response.completed', { output: [message('z', 'z')] });
    const { deltas, answer } = decode([...events, last]);
    expect(answer?.text).toBe(expected);
    expect(textOf(deltas)).toBe(expected);
  });

  it('has no ending while the last event is missing', () =>
    expect(decode([text('a'), done({ type: 'message' })]).ending).toBeNull());

  it('ignores everything after the ending', () =>
    expect(decode([completed, text('late'), ended('response.failed')])).toMatchObject({
      deltas: [],
      answer: { text: '' },
    }));

  it('does not care for sequence numbers', () => {
    const events = ['a', 'b', 'c'].map((delta, index) => ({ ...text(delta), sequence_number: 9 - index }));
    expect(decode([...events, completed]).answer?.text).toBe('abc');
  });

  it('shows a character only when both its halves have come', () => {
    const [high, low] = ['\ud83c', '\udf4e'];
    const { deltas, answer } = decode([text(`a${high}`), text(`${low}b`), completed]);
    expect(deltas.map((delta) => (delta.kind === 'tool_call' ? '' : delta.content))).toEqual(['a', '🍎b']);
    expect(answer?.text).toBe('a🍎b');
  });

  it('shows a broken character as such when the answer ends, and drops NUL', () => {
    const { deltas, answer } = decode([text('a\u0000'), text('\ud83c'), completed]);
    expect(deltas.map((delta) => (delta.kind === 'tool_call' ? '' : delta.content)).join('')).toBe('a\ufffd');
    expect(answer?.text).toBe('a\ufffd');
  });

  it('gives up on an answer that no model can have written', () => {
    const piece = text('x'.repeat(MAX_ANSWER_CHARACTERS / 4));
    expect(decode([piece, piece, piece, piece, text('x')]).ending).toMatchObject({
      code: 'answer_too_large',
    });
  });

  it('says whether silence is normal', () => {
    const decoder = new ResponsesStreamDecoder();
    const added = (type: string): JsonObject => ({ type: 'response.output_item.added', item: { type } });
    const reported = [
      { type: 'response.created' },
      added('reasoning'),
      summary('hm'),
      added('message'),
      text('a'),
      added('reasoning'),
      argumentsDelta('fc', '{'),
    ].map((event) => {
      decoder.push(event);
      return decoder.isReasoning;
    });
    expect(reported).toEqual([true, true, true, false, false, true, false]);
  });
});
