import { describe, expect, it } from '@jest/globals';
import type { PromptMessage } from '#libs/payloads';
import { toMessages, toSystem } from './to-messages.js';

const thought = { type: 'thinking', thinking: 'hm', signature: 'sig' };
const call = (id: string, name = 'search', written = '{"q":1}') => ({ id, name, arguments: written });
const text = (content: string) => ({ type: 'text', text: content });
const user = (content: string): PromptMessage => ({ role: 'user', content });
const output = (toolCallId: string, content: string): PromptMessage => ({
  role: 'tool',
  toolCallId,
  content,
});
const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
const use = (id: string) => ({ type: 'tool_use', id, name: 'search', input: { q: 1 } });

describe('toMessages', () => {
  it('takes instructions apart, in order, without blank ones', () => {
    const messages: PromptMessage[] = [
      { role: 'system', content: 'one' },
      { role: 'developer', content: ' ' },
      user('hi'),
      { role: 'developer', content: 'two' },
    ];
    expect(toSystem(messages)).toEqual([text('one'), text('two')]);
    expect(toMessages(messages)).toEqual([{ role: 'user', content: [text('hi')] }]);
  });

  it('returns reasoning as it came, in the order of the answer', () =>
    expect(
      toMessages([
        user('hi'),
        {
          role: 'assistant',
          content: 'ab',
          toolCalls: [call('c1')],
          providerItems: [thought, { type: 'redacted_thinking', data: 'x' }],
          parts: [
            { kind: 'reasoning', index: 0 },
            { kind: 'message', text: 'a', phase: null },
            { kind: 'reasoning', index: 1 },
            { kind: 'call', callId: 'c1' },
          ],
        },
        output('c1', 'found'),
      ]).slice(1),
    ).toEqual([
      {
        role: 'assistant',
        content: [thought, text('a'), { type: 'redacted_thinking', data: 'x' }, use('c1')],
      },
      { role: 'user', content: [result('c1', 'found')] },
    ]));

  it.each([
    ['unsigned reasoning', { type: 'thinking', thinking: 'hm', signature: '' }],
    ['an item of another API', { type: 'chat_reasoning', field: 'reasoning', text: 'hm' }],
    ['an item of no type', { id: 'x' }],
  ])('leaves %s out, which the API would refuse', (_case, item) =>
    expect(toMessages([user('hi'), { role: 'assistant', content: 'a', providerItems: [item] }])[1]).toEqual({
      role: 'assistant',
      content: [text('a')],
    }),
  );

  it('leaves out an answer of reasoning alone, and reasoning at its end', () => {
    const silent: PromptMessage = { role: 'assistant', content: '', providerItems: [thought] };
    expect(toMessages([user('a'), silent, user('b')])).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
    ]);
  });

  it('puts the outputs of all calls right behind them, before what a person says, with one for each', () =>
    expect(
      toMessages([
        user('a'),
        { role: 'assistant', content: '', toolCalls: [call('c1'), call('c2'), call('c3')] },
        output('c2', ' '),
        output('c1', 'one'),
        user('b'),
      ])[2],
    ).toEqual({
      role: 'user',
      content: [
        result('c1', 'one'),
        { type: 'tool_result', tool_use_id: 'c2' },
        result('c3', 'no output was recorded for this call'),
        text('b'),
      ],
    }));

  it('sends each id once and in the letters of the API, with its own output', () => {
    const round = (id: string, found: string): PromptMessage[] => [
      { role: 'assistant', content: '', toolCalls: [call(id)] },
      output(id, found),
    ];
    const sent = toMessages([user('a'), ...round('same:1', 'one'), ...round('same:1', 'two')]);
    expect(sent.slice(1).map(({ content }) => content)).toEqual([
      [use('same_1')],
      [result('same_1', 'one')],
      [use('same_1_2')],
      [result('same_1_2', 'two')],
    ]);
  });

  it.each([
    ['', {}],
    ['[1]', { unreadable_arguments: '[1]' }],
    ['{"a', { unreadable_arguments: '{"a' }],
  ])('sends arguments as an object: %j as %j', (written, input) =>
    expect(
      toMessages([
        user('a'),
        { role: 'assistant', content: '', toolCalls: [call('c', 'search', written)] },
      ])[1],
    ).toMatchObject({ content: [{ input }] }),
  );

  it('shows images and PDFs before the question', () => {
    const media = [
      { kind: 'image' as const, name: 'a.png', mediaType: 'image/png', base64: 'AAAA' },
      { kind: 'file' as const, name: 'b.pdf', mediaType: 'application/pdf', base64: 'BBBB' },
    ];
    expect(toMessages([{ role: 'user', content: 'what?', media }])[0]?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
        title: 'b.pdf',
      },
      text('what?'),
    ]);
  });

  it('begins with a question where the oldest message is an answer', () =>
    expect(toMessages([{ role: 'assistant', content: 'a' }, user('b')]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]));
});
