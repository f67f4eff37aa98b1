import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { MAX_ANSWER_CHARACTERS } from '../model-calls/answer-decoder.js';
import { ResponsesStreamDecoder } from './decode-responses-stream.js';
import { MAX_ITEMS } from './response-items.js';

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
    ['messages that nobody names', [begun, text('a'), begun, text('b')], 'a\nb'],
    ['an empty part', [at('m', 0, ''), at('n', 0, 'b'), at('n', 1, '')], 'b'],
    ['a refusal', [refusal('I '), refusal('cannot')], 'I cannot'],
    ['messages that only come whole', [done(message('m', 'a', 'b')), done(message('n', 'c'))], 'a\nb\nc'],
    ['a message that came in pieces and then whole', [at('m', 0, 'a'), done(message('m', 'a'))], 'a'],
    ['one that nobody named in pieces', [begun, text('a'), done(message('m', 'a'))], 'a'],
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

  describe('at a server that differs', () => {
    const PARIS = '{"q":"Paris"}';
    const ROME = '{"q":"Rome"}';
    const called = (callId: string, more: JsonObject = {}): JsonObject => ({
      type: 'function_call',
      call_id: callId,
      name: 'n',
      arguments: '',
      ...more,
    });
    const added = (item: JsonObject, at?: number): JsonObject => ({
      type: 'response.output_item.added',
      item,
      ...(at !== undefined && { output_index: at }),
    });
    const written = (more: JsonObject): JsonObject => ({
      type: 'response.function_call_arguments.delta',
      ...more,
    });
    const writtenWhole = (more: JsonObject): JsonObject => ({
      type: 'response.function_call_arguments.done',
      ...more,
    });
    const callsOf = (events: readonly unknown[]) =>
      decode([...events, completed]).answer?.toolCalls.map((call) => `${call.id} ${call.arguments}`);

    it.each<[string, unknown[], string[]]>([
      [
        'that never says that an item is done',
        [added(called('a'), 0), written({ output_index: 0, delta: PARIS })],
        [`a ${PARIS}`],
      ],
      [
        'whose arguments name no item, one call after the other',
        [
          added(called('a')),
          writtenWhole({ arguments: PARIS }),
          done(called('a')),
          added(called('b')),
          writtenWhole({ arguments: ROME }),
          done(called('b')),
        ],
        [`a ${PARIS}`, `b ${ROME}`],
      ],
      [
        'whose arguments name no item, after all calls have begun',
        [
          added(called('a')),
          added(called('b')),
          writtenWhole({ arguments: PARIS }),
          writtenWhole({ arguments: ROME }),
          done(called('a')),
          done(called('b')),
        ],
        [`a ${PARIS}`, `b ${ROME}`],
      ],
      [
        'whose pieces of arguments name no item and follow each other without an end',
        [added(called('a')), added(called('b')), written({ delta: PARIS }), written({ delta: ROME })],
        [`a ${PARIS}`, `b ${ROME}`],
      ],
      [
        'that says {} where the pieces say more',
        [
          added(called('a'), 0),
          written({ output_index: 0, delta: PARIS }),
          { ...done(called('a', { arguments: '{}' })), output_index: 0 },
        ],
        [`a ${PARIS}`],
      ],
      [
        'that sends arguments before the item',
        [
          written({ output_index: 1, item_id: 'x', delta: '{"q":' }),
          added(called('a'), 1),
          written({ output_index: 1, delta: '"Paris"}' }),
        ],
        [`a ${PARIS}`],
      ],
      [
        'that names the function with its arguments only',
        [added(called('a', { name: '' }), 0), writtenWhole({ output_index: 0, name: 'n', arguments: PARIS })],
        [`a ${PARIS}`],
      ],
      [
        'that numbers all items alike',
        [
          added(called('a', { id: 'x' }), 0),
          written({ output_index: 0, item_id: 'x', delta: PARIS }),
          { ...done(called('a', { id: 'x' })), output_index: 0 },
          added(called('b', { id: 'y' }), 0),
          written({ output_index: 0, item_id: 'y', delta: ROME }),
          { ...done(called('b', { id: 'y' })), output_index: 0 },
        ],
        [`a ${PARIS}`, `b ${ROME}`],
      ],
    ])('finds the calls of one %s', (_case, events, expected) => expect(callsOf(events)).toEqual(expected));

    it('keeps a call that the last event leaves out', () => {
      const last = ended('response.completed', { output: [{ type: 'message', content: [] }] });
      const events = [added(called('a'), 0), written({ output_index: 0, delta: PARIS }), last];
      expect(decode(events).answer?.toolCalls).toMatchObject([{ id: 'a', arguments: PARIS }]);
    });

    it('fails where arguments without a place may be of either call', () => {
      const events = [added(called('a')), added(called('b')), written({ delta: PARIS })];
      expect(decode([...events, completed]).ending).toMatchObject({
        kind: 'failed',
        code: 'ambiguous_tool_calls',
      });
    });

    it('reads a text once, whose id changes with every event', () => {
      const said = (id: string, more: JsonObject) => ({
        item_id: id,
        output_index: 0,
        content_index: 0,
        ...more,
      });
      const whole = (id: string) => ({
        type: 'message',
        id,
        content: [{ type: 'output_text', text: 'It is so.' }],
      });
      const { deltas, answer } = decode([
        added({ type: 'message', id: 'r1', content: [] }, 0),
        said('r2', { type: 'response.output_text.delta', delta: 'It ' }),
        said('r3', { type: 'response.output_text.delta', delta: 'is ' }),
        said('r4', { type: 'response.output_text.done', text: 'It is so.' }),
        { ...done(whole('r5')), output_index: 0 },
        ended('response.completed', { output: [whole('r6')] }),
      ]);
      expect(answer?.text).toBe('It is so.');
      expect(textOf(deltas)).toBe('It is so.');
    });

    it('gives up on more items than an answer can have', () => {
      const many = Array.from({ length: MAX_ITEMS + 1 }, (_none, at) => added({ type: 'message' }, at));
      expect(decode(many).ending).toMatchObject({ code: 'answer_too_large' });
    });
  });
});
