import { describe, expect, it } from '@jest/globals';
import { MAX_ARGUMENT_CHARACTERS, parseToolArguments } from './parse-tool-arguments.js';

const errorOf = (text: unknown): string => {
  const parsed = parseToolArguments(text);
  return parsed.success ? 'accepted' : parsed.error;
};
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('parseToolArguments', () => {
  it.each([
    ['', {}],
    ['{}', {}],
    ['{"a": 1}', { a: 1 }],
    [' \n{"a": 1}\t', { a: 1 }],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['{"名前": "トマト"}', { 名前: 'トマト' }],
  ])('reads %j (S0-31, S0-32, S1-68, 3.D-1)', (text, data) => {
    expect(parseToolArguments(text)).toEqual({ success: true, data });
  });

  it.each([[null], [undefined], [5], [true], [{ a: 1 }], [['{}']]])(
    'refuses %j, which is no text (S0-33)',
    (value) => {
      expect(errorOf(value)).toBe('tool arguments must be a JSON object string');
    },
  );

  it.each([' ', 'x', '{', '{"a": }', "{'a': 1}", '{"a": 1} x', '{"a": NaN}'])(
    'refuses %j, which is no JSON (S0-33)',
    (text) => {
      expect(errorOf(text)).toBe('tool arguments must be valid JSON object');
    },
  );

  it.each(['[]', 'null', '5', '"{}"', 'true'])('refuses %j, which is no object (S0-33)', (text) => {
    expect(errorOf(text)).toBe('tool arguments must be a JSON object');
  });

  it('takes 64 levels and not one more, and no ten thousand', () => {
    expect(errorOf(nested(64))).toBe('accepted');
    expect(errorOf(nested(65))).toBe('tool arguments must be nested at most 64 levels deep');
    expect(errorOf(nested(10_000))).toBe('tool arguments must be nested at most 64 levels deep');
  });

  it('takes 262 144 characters and not one more', () => {
    const filled = (length: number): string => `{"a":"${'x'.repeat(length - 8)}"}`;
    expect(errorOf(filled(MAX_ARGUMENT_CHARACTERS))).toBe('accepted');
    expect(errorOf(filled(MAX_ARGUMENT_CHARACTERS + 1))).toBe(
      'tool arguments must have at most 262144 characters',
    );
  });

  it('hands on nothing that cannot be stored or that changes a prototype', () => {
    const parsed = parseToolArguments(
      '{"__proto__": {"isAdmin": true}, "a\\u0000": "b\\u0000\\ud800", "c": {"__proto__": 1}}',
    );
    const data = parsed.success ? parsed.data : {};
    expect(JSON.stringify(data)).toBe('{"a":"b\ufffd","c":{}}');
    expect('isAdmin' in data).toBe(false);
  });
});
