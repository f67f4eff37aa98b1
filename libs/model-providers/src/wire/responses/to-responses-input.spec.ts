import { describe, expect, it } from '@jest/globals';
import type { PromptMessage } from '#libs/payloads';
import { MISSING_OUTPUT } from '../model-calls/pair-tool-calls.js';
import { toResponsesInput } from './to-responses-input.js';

const call = (id: string, name = 'search', text = '{"q":"林檎"}') => ({ id, name, arguments: text });
const callItem = (id: string, name = 'search', text = '{"q":"林檎"}') => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: text,
});
const output = (id: string, text: string) => ({ type: 'function_call_output', call_id: id, output: text });
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };

describe('toResponsesInput', () => {
  it.each<[string, PromptMessage[], unknown[]]>([
    [
      'S1-29: assistant text',
      [{ role: 'assistant', content: 'hello' }],
      [{ role: 'assistant', content: 'hello' }],
    ],
    [
      'S1-30, S1-31: calls after the text, outputs after the calls',
      [
        { role: 'assistant', content: 'let me see', toolCalls: [call('a'), call('b')] },
        { role: 'tool', toolCallId: 'a', content: '1' },
        { role: 'tool', toolCallId: 'b', content: '2' },
      ],
      [
        { role: 'assistant', content: 'let me see' },
        callItem('a'),
        callItem('b'),
        output('a', '1'),
        output('b', '2'),
      ],
    ],
    [
      'S1-30: an assistant without text keeps its calls; empty arguments are an empty object',
      [
        { role: 'assistant', content: '', toolCalls: [call('a', 'ping', '')] },
        { role: 'tool', toolCallId: 'a', content: 'pong' },
      ],
      [callItem('a', 'ping', '{}'), output('a', 'pong')],
    ],
    [
      'S1-32: an empty output keeps the fact of the call',
      [
        { role: 'assistant', content: '', toolCalls: [call('a')] },
        { role: 'tool', toolCallId: 'a', content: '' },
      ],
      [callItem('a'), output('a', '')],
    ],
    [
      'S1-33: user, system and developer as lists of input_text',
      [
        { role: 'system', content: 's' },
        { role: 'developer', content: 'd' },
        { role: 'user', content: 'u' },
      ],
      ['system', 'developer', 'user'].map((role) => ({
        role,
        content: [{ type: 'input_text', text: role[0] }],
      })),
    ],
    ['S1-33: empty texts are left out', [{ role: 'user', content: '' }], []],
    [
      'a call without id or name is dropped',
      [{ role: 'assistant', content: 'x', toolCalls: [call(' '), call('a', '')] }],
      [{ role: 'assistant', content: 'x' }],
    ],
    [
      'the order in which the model reasoned, spoke and called, with its phases',
      [
        {
          role: 'assistant',
          content: 'let me see\nfound',
          toolCalls: [call('a'), call('b')],
          providerItems: [reasoning, { ...reasoning, id: 'rs_2' }],
          parts: [
            { kind: 'message', text: 'let me see', phase: 'commentary' },
            { kind: 'reasoning', index: 0 },
            { kind: 'call', callId: 'a' },
            { kind: 'reasoning', index: 1 },
            { kind: 'call', callId: 'b' },
            { kind: 'message', text: 'found', phase: null },
          ],
        },
        { role: 'tool', toolCallId: 'a', content: '1' },
        { role: 'tool', toolCallId: 'b', content: '2' },
      ],
      [
        { role: 'assistant', content: 'let me see', phase: 'commentary' },
        reasoning,
        callItem('a'),
        { ...reasoning, id: 'rs_2' },
        callItem('b'),
        { role: 'assistant', content: 'found' },
        output('a', '1'),
        output('b', '2'),
      ],
    ],
    [
      'no reasoning after which nothing is left, and no call twice',
      [
        {
          role: 'assistant',
          content: 'x',
          toolCalls: [call(' ')],
          providerItems: [reasoning],
          parts: [
            { kind: 'message', text: 'x', phase: null },
            { kind: 'reasoning', index: 0 },
            { kind: 'call', callId: ' ' },
          ],
        },
      ],
      [{ role: 'assistant', content: 'x' }],
    ],
    [
      'a call that the order does not know stands at the end',
      [
        {
          role: 'assistant',
          content: '',
          toolCalls: [call('a')],
          parts: [{ kind: 'message', text: 'x', phase: 'p' }],
        },
        { role: 'tool', toolCallId: 'a', content: '1' },
      ],
      [{ role: 'assistant', content: 'x', phase: 'p' }, callItem('a'), output('a', '1')],
    ],
    ['an output without a call is dropped', [{ role: 'tool', toolCallId: 'a', content: '1' }], []],
    [
      'an output before its call does not count',
      [
        { role: 'tool', toolCallId: 'a', content: 'early' },
        { role: 'assistant', content: '', toolCalls: [call('a')] },
      ],
      [callItem('a'), output('a', MISSING_OUTPUT)],
    ],
    [
      'a second output of one call is dropped',
      [
        { role: 'assistant', content: '', toolCalls: [call('a')] },
        { role: 'tool', toolCallId: 'a', content: '1' },
        { role: 'tool', toolCallId: 'a', content: '2' },
      ],
      [callItem('a'), output('a', '1')],
    ],
    [
      'the later of two calls with one id stands at the place of the earlier',
      [
        { role: 'assistant', content: '', toolCalls: [call('a', 'old'), call('b'), call('a', 'new')] },
        { role: 'tool', toolCallId: 'a', content: '1' },
        { role: 'tool', toolCallId: 'b', content: '2' },
      ],
      [callItem('a', 'new'), callItem('b'), output('a', '1'), output('b', '2')],
    ],
    [
      'an id that comes again in a later round has its own output',
      [
        { role: 'assistant', content: '', toolCalls: [call('a')] },
        { role: 'tool', toolCallId: 'a', content: '1' },
        { role: 'assistant', content: '', toolCalls: [call('a')] },
        { role: 'tool', toolCallId: 'a', content: '2' },
      ],
      [callItem('a'), output('a', '1'), callItem('a'), output('a', '2')],
    ],
    [
      'encrypted reasoning travels before the answer it led to',
      [
        { role: 'assistant', content: 'x', toolCalls: [call('a')], providerItems: [reasoning] },
        { role: 'tool', toolCallId: 'a', content: '1' },
      ],
      [reasoning, { role: 'assistant', content: 'x' }, callItem('a'), output('a', '1')],
    ],
    [
      'reasoning without an answer after it is left out',
      [{ role: 'assistant', content: '', providerItems: [reasoning] }],
      [],
    ],
    [
      'reasoning that is not encrypted cannot be understood again and is left out',
      [
        {
          role: 'assistant',
          content: 'x',
          providerItems: [{ ...reasoning, encrypted_content: null }, { type: 'message' }],
        },
      ],
      [{ role: 'assistant', content: 'x' }],
    ],
    [
      'NUL and lone surrogates are cleaned away',
      [
        { role: 'user', content: 'a\u0000b\ud800' },
        { role: 'assistant', content: '', toolCalls: [call('c\u0000', 'n\u0000', '"\udfff"')] },
        { role: 'tool', toolCallId: 'c\u0000', content: '\u0000' },
      ],
      [
        { role: 'user', content: [{ type: 'input_text', text: 'ab\ufffd' }] },
        callItem('c', 'n', '"\ufffd"'),
        output('c', ''),
      ],
    ],
  ])('%s', (_case, messages, expected) => expect(toResponsesInput(messages)).toEqual(expected));

  it('puts images and files after the text, as data URLs; a text may be missing', () => {
    const media = [
      { kind: 'image', name: 'a.png', mediaType: 'image/png', base64: 'iVBO' },
      { kind: 'file', name: 'b.pdf', mediaType: 'application/pdf', base64: 'JVBE' },
    ] as const;
    const parts = [
      { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBO' },
      { type: 'input_file', filename: 'b.pdf', file_data: 'data:application/pdf;base64,JVBE' },
    ];
    expect(toResponsesInput([{ role: 'user', content: 'What?', media }])).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'What?' }, ...parts] },
    ]);
    expect(toResponsesInput([{ role: 'user', content: '', media }])).toEqual([
      { role: 'user', content: parts },
    ]);
  });

  it('leaves the messages as they were', () => {
    const messages: PromptMessage[] = [
      { role: 'assistant', content: 'x', toolCalls: [call('a')], providerItems: [reasoning] },
    ];
    const before = structuredClone(messages);
    toResponsesInput(messages);
    expect(messages).toEqual(before);
  });
});
