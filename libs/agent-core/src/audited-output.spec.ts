import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { auditedOutput } from './run-step.js';

const answered = (output: string, result: JsonValue) =>
  auditedOutput({ status: 'succeeded', output, result });
const success = (result: JsonValue): JsonValue => ({ status: 'success', result });
const EMPTY = success({});

describe('the output of a call in the audit (S2-6, S2-32)', () => {
  it.each<[string, string, JsonValue, JsonValue]>([
    [
      'a result that is read as it is',
      '{"status":"success","result":{"id":7}}',
      success({ id: 7 }),
      success({ id: 7 }),
    ],
    ['a text beside an empty result', 'It rains.', EMPTY, success({ text: 'It rains.' })],
    [
      'a text beside data',
      'It rains.',
      success({ status: 200 }),
      success({ status: 200, text: 'It rains.' }),
    ],
    [
      'a text that is JSON',
      '{"t":[21]}',
      success({ status: 200 }),
      success({ status: 200, text: { t: [21] } }),
    ],
    ['a text that is a list', ' [1,"2"]\n', EMPTY, success({ text: [1, '2'] })],
    ['JSON of a tool', 'tool response: {"t":21}.', EMPTY, success({ text: { t: 21 } })],
    [
      'JSON that is there already',
      'tool response: {"b":1,"a":2}.',
      success({ structured_content: { a: 2, b: 1 } }),
      success({ structured_content: { a: 2, b: 1 } }),
    ],
    ['a message that is the text', 'done', success({ message: 'done' }), success({ message: 'done' })],
    ['a message that is JSON', '{"a":1}', success({ message: '{"a":1}' }), success({ message: { a: 1 } })],
    ['an answer by its fields', '{"a": 1}', success({ a: 1 }), success({ a: 1 })],
    ['the text of a number', '5', EMPTY, success({ text: '5' })],
    ['the text of a word', 'null', EMPTY, success({ text: 'null' })],
    ['JSON that was cut', '{"a":[1,', EMPTY, success({ text: '{"a":[1,' })],
    [
      'a number of too many digits',
      '{"id":12345678901234567891}',
      EMPTY,
      success({ text: '{"id":12345678901234567891}' }),
    ],
    ['an empty text', '', EMPTY, success({ text: '' })],
    [
      'an error with its text',
      'HTTP 404: no',
      { status: 'error', result: { message: 'HTTP 404: no', status: 404 } },
      { status: 'error', result: { message: 'HTTP 404: no', status: 404 } },
    ],
  ])('is %s', (_name, output, result, audited) => {
    expect(answered(output, result)).toEqual(audited);
  });

  it.each([
    ['is cut where the text is JSON that is deep', 100, 'nested too deeply'],
    ['is the text where it is deeper than a parser reads', 20_000, '"text":"[['],
  ])('%s', (_name, levels, part) => {
    const written = JSON.stringify(answered('['.repeat(levels) + ']'.repeat(levels), EMPTY));
    expect(written.includes(part)).toBe(true);
  });

  it.each<[string, JsonValue]>([
    ['no such tool', { message: 'no such tool' }],
    ['{"status":"error","result":{"message":"Invalid JSON for look"}}', { message: 'Invalid JSON for look' }],
    ['{"status":"success","result":{}}', { message: '{"status":"success","result":{}}' }],
  ])('is an error with what the model read of a call that did not run: %s', (output, result) => {
    expect(auditedOutput({ status: 'refused', output })).toEqual({ status: 'error', result });
  });
});
