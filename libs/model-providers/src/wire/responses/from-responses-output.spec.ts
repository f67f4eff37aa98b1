import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { readOutputText, readThinking, readToolCall } from './from-responses-output.js';

const part = (type: string, text: string) => ({ type, [type === 'refusal' ? 'refusal' : 'text']: text });
const message = (...content: object[]) => ({ type: 'message', content }) as JsonObject;

describe('readOutputText', () => {
  it.each<[string, JsonObject, string]>([
    ['output_text first', { output_text: 'a', output: [message(part('output_text', 'b'))] }, 'a'],
    [
      'else the parts, one a line',
      { output_text: '', output: [message(part('output_text', 'a')), message(part('output_text', 'b'))] },
      'a\nb',
    ],
    [
      'an output_text that only strings the parts together is read as the parts',
      { output_text: 'ab', output: [message(part('output_text', 'a'), part('output_text', 'b'))] },
      'a\nb',
    ],
    [
      'a refusal is a text too',
      { output: [message(part('refusal', 'no'), part('output_text', 'a'))] },
      'no\na',
    ],
    ['other parts are ignored', { output: [message(part('audio', 'no'), part('output_text', 'a'))] }, 'a'],
    ['nothing', { output: [] }, ''],
    ['an output that is none', { output: 'x' }, ''],
    ['items that are none', { output: [null, 3, { content: 'x' }, { content: [null] }] }, ''],
  ])('S1-34: %s', (_case, response, expected) => expect(readOutputText(response)).toBe(expected));
});

describe('readThinking', () => {
  const item = (fields: object) => ({ output: [{ type: 'reasoning', ...fields }] }) as JsonObject;
  it.each<[string, JsonObject, string]>([
    ['summaries', item({ summary: [part('summary_text', 'a'), part('summary_text', 'b')] }), 'a\nb'],
    ['else the text', item({ summary: [], content: [part('reasoning_text', 'c')] }), 'c'],
    ['nothing', item({}), ''],
  ])('reads %s', (_case, response, expected) => expect(readThinking(response)).toBe(expected));
});

describe('readToolCall', () => {
  const item = (fields: object) => ({ type: 'function_call', ...fields }) as JsonObject;
  it.each<[string, JsonObject, unknown]>([
    [
      'a call',
      item({ call_id: 'c', name: 'n', arguments: '{"a":1}' }),
      { id: 'c', name: 'n', arguments: '{"a":1}' },
    ],
    ['no arguments', item({ call_id: 'c', name: 'n' }), { id: 'c', name: 'n', arguments: '{}' }],
    ['the id of its item', item({ id: 'i', name: 'n' }), { id: 'i', name: 'n', arguments: '{}' }],
    ['no id', item({ name: 'n', arguments: '' }), { id: '', name: 'n', arguments: '' }],
    [
      'arguments as an object',
      item({ call_id: 'c', name: 'n', arguments: { q: '林檎' } }),
      { id: 'c', name: 'n', arguments: '{"q":"林檎"}' },
    ],
    ['a number', item({ call_id: 'c', name: 'n', arguments: 5 }), { id: 'c', name: 'n', arguments: '5' }],
    ['true', item({ call_id: 'c', name: 'n', arguments: true }), { id: 'c', name: 'n', arguments: 'true' }],
    [
      'a list',
      item({ call_id: 'c', name: 'n', arguments: [{ q: 1 }] }),
      { id: 'c', name: 'n', arguments: '[{"q":1}]' },
    ],
    ['null', item({ call_id: 'c', name: 'n', arguments: null }), { id: 'c', name: 'n', arguments: '{}' }],
    ['no name', item({ call_id: 'c', arguments: '{}' }), null],
    ['broken off', item({ call_id: 'c', name: 'n', arguments: '{"a', status: 'incomplete' }), null],
    ['another item', { type: 'custom_tool_call', call_id: 'c', name: 'n' }, null],
  ])('S1-35: %s', (_case, given, expected) => expect(readToolCall(given)).toEqual(expected));
});
