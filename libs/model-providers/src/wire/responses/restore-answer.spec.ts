import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { endingOf, isResponseObject } from './restore-answer.js';

const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' };
const completed: JsonObject = {
  id: 'resp_1',
  model: 'gpt-5',
  status: 'completed',
  output: [
    reasoning,
    { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}' },
    { type: 'message', content: [{ type: 'output_text', text: 'hi' }] },
  ],
  usage: { input_tokens: 1, output_tokens: 2 },
};

function answerOf(response: JsonObject) {
  const ending = endingOf(response);
  if (ending.kind !== 'answered') throw new Error('not answered');
  return ending.answer;
}

describe('endingOf', () => {
  it('restores a whole answer', () =>
    expect(answerOf(completed)).toEqual({
      responseId: 'resp_1',
      model: 'gpt-5',
      text: 'hi',
      thinking: '',
      toolCalls: [{ id: 'c', name: 'n', arguments: '{}' }],
      usage: {
        input_tokens: 1,
        cached_input_tokens: 0,
        output_tokens: 2,
        reasoning_tokens: 0,
        total_tokens: 3,
      },
      incompleteReason: null,
      providerItems: [reasoning],
      parts: [
        { kind: 'reasoning', index: 0 },
        { kind: 'call', callId: 'c' },
        { kind: 'message', text: 'hi', phase: null },
      ],
    }));

  const said = (text: string, phase?: string) => ({
    type: 'message',
    content: [{ type: 'output_text', text }],
    ...(phase !== undefined && { phase }),
  });
  const thought = (id: string) => ({ ...reasoning, id });
  const called = (id: string) => ({ type: 'function_call', call_id: id, name: 'n', arguments: '{}' });
  it.each<[string, JsonObject[], unknown]>([
    ['is not reported where it is plain', [reasoning, said('a'), called('c')], undefined],
    ['is not reported where there is nothing', [], undefined],
    ['is reported where a message has a phase', [said('a', 'commentary')], [['a', 'commentary']]],
    [
      'is reported where there are several messages',
      [said('a', 'commentary'), called('c'), said('b', 'final_answer')],
      [['a', 'commentary'], 'c', ['b', 'final_answer']],
    ],
    [
      'is reported where reasoning stands between calls',
      [thought('r1'), called('c1'), thought('r2'), called('c2'), said('a')],
      [0, 'c1', 1, 'c2', ['a', null]],
    ],
    [
      'leaves out what is empty or cannot travel back',
      [
        said('a', 'commentary'),
        said(''),
        { type: 'reasoning', id: 'x', summary: [] },
        { ...called('c'), name: '' },
      ],
      [['a', 'commentary']],
    ],
    [
      'holds two calls of one id, each under an id of its own',
      [called('a'), thought('r'), called('b'), called('a')],
      ['a', 0, 'b', 'a_3'],
    ],
  ])('the order of an answer %s', (_case, output, expected) => {
    const parts = answerOf({ ...completed, output }).parts?.map((part) => {
      if (part.kind === 'message') return [part.text, part.phase];
      return part.kind === 'reasoning' ? part.index : part.callId;
    });
    expect(parts).toEqual(expected);
  });

  it.each(['max_output_tokens', 'content_filter'])(
    'keeps the text of an answer that was cut short by %s',
    (reason) =>
      expect(answerOf({ ...completed, status: 'incomplete', incomplete_details: { reason } })).toMatchObject({
        text: 'hi',
        incompleteReason: reason,
      }),
  );

  it.each<[string, JsonObject, object]>([
    [
      'failed',
      { status: 'failed', error: { code: 'server_error', message: 'x' } },
      { code: 'server_error', message: 'x' },
    ],
    ['queued', { status: 'queued' }, { code: null }],
    ['failed without a code', { status: 'failed', error: null }, { code: null }],
    ['cancelled', { status: 'cancelled' }, { code: null }],
    ['in_progress', { status: 'in_progress' }, { code: null }],
    [
      'incomplete for an unknown reason',
      { status: 'incomplete', incomplete_details: { reason: 'bored' } },
      { code: 'bored' },
    ],
    ['incomplete for no reason', { status: 'incomplete', incomplete_details: null }, { code: null }],
  ])('an ending that is %s is no answer', (_case, fields, expected) =>
    expect(endingOf({ ...completed, ...fields })).toEqual({
      kind: 'failed',
      status: fields['status'],
      message: null,
      // The usage of a failed call is reported.
      reported: {
        responseId: 'resp_1',
        model: 'gpt-5',
        usage: {
          input_tokens: 1,
          cached_input_tokens: 0,
          output_tokens: 2,
          reasoning_tokens: 0,
          total_tokens: 3,
        },
      },
      ...expected,
    }),
  );

  it('a failed ending without usage has none', () =>
    expect(endingOf({ ...completed, status: 'failed', usage: null })).toMatchObject({ reported: null }));

  it('shows a refusal as the text when there is no other', () =>
    expect(
      answerOf({ output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'I cannot' }] }] }).text,
    ).toBe('I cannot'));

  it('S0-14: leaves out calls without a usable id or name', () => {
    const call = (id: string, name: string) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: '{}',
    });
    const output = [call('', 'n'), call('  ', 'n'), call('c', ' '), call('\u0000', 'n'), call('ok', 'n')];
    expect(answerOf({ ...completed, output }).toolCalls.map(({ id }) => id)).toEqual(['ok']);
  });

  it('keeps every call of one id, each under an id of its own', () => {
    const call = (id: string, name: string) => ({ type: 'function_call', call_id: id, name, arguments: '' });
    const output = [call('a', 'first'), call('b', 'other'), call('a', 'second')];
    expect(answerOf({ ...completed, output }).toolCalls.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'a first',
      'b other',
      'a_3 second',
    ]);
  });

  it('gives the place of a broken call to the whole one of its id', () => {
    const call = (id: string, name: string, written: string) => ({
      ...{ type: 'function_call', call_id: id, name, arguments: written },
    });
    const output = [call('a', 'broken', '{'), call('b', 'other', ''), call('a', 'whole', '{}')];
    expect(answerOf({ ...completed, output }).toolCalls.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'a whole',
      'b other',
    ]);
  });

  it.each([
    ['that was cut in half', '{"a', []],
    ['that is whole', '{"a":1}', ['c']],
  ])('for an answer cut short, a call %s is kept only where it can be read', (_case, written, expected) => {
    const output = [{ type: 'function_call', call_id: 'c', name: 'n', arguments: written }];
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(answerOf({ ...completed, ...cut, output }).toolCalls.map(({ id }) => id)).toEqual(expected);
  });

  it('makes every text storable', () => {
    const dirty = 'x\u0000\ud800';
    const answer = answerOf({
      id: dirty,
      model: dirty,
      output: [
        { ...reasoning, encrypted_content: dirty },
        { type: 'function_call', call_id: dirty, name: dirty, arguments: dirty },
        { type: 'message', content: [{ type: 'output_text', text: dirty }] },
      ],
    });
    expect(JSON.stringify(answer)).not.toMatch(/\\u0000|\\ud800/);
    expect(answer.text).toBe('x\ufffd');
  });

  it('keeps an argument of a million characters and a depth of ten thousand', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const long = `{"a":"${'x'.repeat(1_000_000)}"}`;
    const call = (id: string, text: string) => ({
      type: 'function_call',
      call_id: id,
      name: 'n',
      arguments: text,
    });
    const { toolCalls } = answerOf({ ...completed, output: [call('a', deep), call('b', long)] });
    expect(toolCalls.map((one) => one.arguments.length)).toEqual([20_000, long.length]);
  });

  it('survives arguments that are an object of a depth of ten thousand', () => {
    const deep = JSON.parse('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)) as JsonObject;
    const item = { type: 'function_call', call_id: 'a', name: 'n', arguments: deep };
    expect(answerOf({ ...completed, output: [item] }).toolCalls[0]?.arguments).toContain('nested too deeply');
  });
});

describe('isResponseObject', () => {
  it.each<[unknown, boolean]>([
    [completed, true],
    [{ output_text: 'x' }, true],
    [{ choices: [] }, false],
    [{ error: {} }, false],
    ['<html>', false],
    [undefined, false],
    [null, false],
    [[], false],
  ])('%# judges whether a body is a response', (body, expected) =>
    expect(isResponseObject(body)).toBe(expected),
  );
});
