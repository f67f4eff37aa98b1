import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { ResponsesStreamDecoder } from './decode-responses-stream.js';
import { MAX_ITEMS } from './response-items.js';

const text = (delta: unknown) => ({ type: 'response.output_text.delta', delta });
const done = (item: object) => ({ type: 'response.output_item.done', item });
const ended = (type: string, response: object = {}) => ({ type, response });
const completed = ended('response.completed', { id: 'r', model: 'm', status: 'completed', output: [] });

function decode(events: readonly unknown[]) {
  const decoder = new ResponsesStreamDecoder();
  const deltas = events.flatMap((event) => decoder.push(event));
  const { ending } = decoder;
  return { deltas, ending, answer: ending?.kind === 'answered' ? ending.answer : undefined };
}

const textOf = (deltas: readonly { kind: string; content?: string }[]): string =>
  deltas.map((delta) => (delta.kind === 'text' ? (delta.content ?? '') : '')).join('');

describe('ResponsesStreamDecoder, at a server that differs', () => {
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

  it.each([
    ['a piece was lost', ['It ', 'so.'], 'It is so.', 'It is so.'],
    ['the whole text is cut', ['It is so.\n'], 'It is', 'It is so.\n'],
  ])('keeps the longer text where %s', (_case, deltas, whole, expected) => {
    const said = deltas.map((delta) => ({ ...text(delta), output_index: 0, content_index: 0 }));
    const item = { type: 'message', content: [{ type: 'output_text', text: whole }] };
    const { answer } = decode([...said, { ...done(item), output_index: 0 }, completed]);
    expect(answer?.text).toBe(expected);
  });

  it('gives up on more items than an answer can have', () => {
    const many = Array.from({ length: MAX_ITEMS + 1 }, (_none, at) => added({ type: 'message' }, at));
    expect(decode(many).ending).toMatchObject({ code: 'answer_too_large' });
  });
});
