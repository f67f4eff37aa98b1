import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../http/api-error.js';
import type { Answer } from '../../responses/answer.js';
import { parseResponsesRequest } from '../../responses/responses-request.js';
import { ScriptBook } from './script-book.js';
import { scriptModel } from './script-model.js';

const block = (script: unknown): string =>
  `Do this:\n\`\`\`sim-script\n${JSON.stringify(script)}\n\`\`\`\nThanks`;
const answerTo = (input: unknown): Answer =>
  scriptModel(new ScriptBook()).reply(parseResponsesRequest({ model: 'sim-script', input }), null).answer;

const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' });

const SCRIPT = {
  answers: [
    {
      reasoning: 'Hm.',
      text: 'Looking.',
      calls: [
        { name: 'f', arguments: { a: 1 } },
        { name: 'g', arguments: 'no json' },
      ],
    },
    { calls: [{ name: 'h', call_id: 'call_mine' }] },
    { text: ['Done.', 'Really.'] },
  ],
};

describe('a script in the message', () => {
  it('is played answer by answer', () => {
    const user = { role: 'user', content: block(SCRIPT) };
    expect(answerTo([user]).items).toEqual([
      { kind: 'reasoning', summary: ['Hm.'], thought: 'Hm.' },
      { kind: 'text', text: 'Looking.' },
      { kind: 'call', name: 'f', arguments: '{"a":1}', callId: null },
      { kind: 'call', name: 'g', arguments: 'no json', callId: null },
    ]);
    const second = [user, call('1'), call('2'), output('1'), output('2')];
    expect(answerTo(second).items).toEqual([
      { kind: 'call', name: 'h', arguments: '{}', callId: 'call_mine' },
    ]);
    const third = [...second, call('3'), output('3')];
    expect(answerTo(third).items).toEqual([
      { kind: 'text', text: 'Done.' },
      { kind: 'text', text: 'Really.' },
    ]);
  });

  it('gives a repeated request the same answer', () => {
    const input = [{ role: 'user', content: block(SCRIPT) }, call('1'), output('1')];
    expect(answerTo(input)).toEqual(answerTo(input));
  });

  it('goes on when the user says something without a script', () => {
    const input = [
      { role: 'user', content: block({ answers: [{ text: 'one' }, { text: 'two' }] }) },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'and?' },
    ];
    expect(answerTo(input).items).toEqual([{ kind: 'text', text: 'two' }]);
  });

  it('sets items in any order, usage, pace and ending', () => {
    const scripted = {
      output: [
        { type: 'call', name: 'f' },
        { type: 'refusal', refusal: 'No.' },
        { type: 'reasoning', thought: 'hidden' },
      ],
      usage: { input_tokens: 7, reasoning_tokens: 3 },
      latency: { headers_ms: 5, delta_ms: 6 },
      delta_characters: 2,
      end: { status: 'incomplete', reason: 'content_filter' },
    };
    expect(answerTo(block({ answers: [scripted] }))).toEqual({
      items: [
        { kind: 'call', name: 'f', arguments: '{}', callId: null },
        { kind: 'refusal', refusal: 'No.' },
        { kind: 'reasoning', summary: [], thought: 'hidden' },
      ],
      end: { status: 'incomplete', reason: 'content_filter' },
      usage: { kind: 'given', usage: { inputTokens: 7, reasoningTokens: 3 } },
      pace: { headersMs: 5, deltaMs: 6, deltaCharacters: 2 },
    });
  });

  it('can loop without end', () => {
    const user = {
      role: 'user',
      content: block({ then: 'repeat_last', answers: [{ calls: [{ name: 'f' }] }] }),
    };
    const rounds = Array.from({ length: 40 }, (_none, at) => [call(`${at}`), output(`${at}`)]).flat();
    expect(answerTo([user, ...rounds]).items).toMatchObject([{ kind: 'call', name: 'f' }]);
  });

  it.each<[string, string, string]>([
    ['there is none', 'hello', 'script_missing'],
    ['it is not JSON', '```sim-script\n{oops\n```', 'invalid_value'],
    ['a field is unknown', block({ answers: [{ txt: 'x' }] }), 'unknown_parameter'],
    ['it has no answers', block({ answers: [] }), 'array_below_min_length'],
  ])('is refused clearly when %s', (_name, text, code) => {
    expect(() => answerTo(text)).toThrow(ApiError);
    expect(() => answerTo(text)).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ code }) }),
    );
  });
});
