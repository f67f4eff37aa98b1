import { describe, expect, it } from '@jest/globals';
import { parseBoolLike } from './parameter-rules.js';

describe('parseBoolLike', () => {
  it.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ['true', true],
    ['false', false],
    ['1', true],
    ['0', false],
    ['TRUE', true],
    [' False ', false],
  ])('S1-42: reads %j as %j', (value, expected) => expect(parseBoolLike(value, 'flag')).toBe(expected));

  it.each([['yes'], ['on'], [''], ['2'], [2], [-1], [0.5], [null], [undefined], [[]], [{}], [['true']]])(
    'S1-42: refuses %j with the name of the field',
    (value) =>
      expect(() => parseBoolLike(value, 'enable_stream')).toThrow(
        'enable_stream must be a boolean-like value',
      ),
  );
});
