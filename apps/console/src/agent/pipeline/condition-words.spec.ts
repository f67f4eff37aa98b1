import { describe, expect, it } from '@jest/globals';
import { conditionWords } from './condition-words.js';

const FOUND = { value: '/steps/find', exists: true };
const MANY = { value: '/steps/find/count', at_least: 3 };

describe('a condition in words', () => {
  it.each<[unknown, string]>([
    [FOUND, '/steps/find is there'],
    [{ value: '/input', exists: false }, '/input is missing'],
    [{ value: '/input', equals: null }, '/input is null'],
    [{ value: '/input', one_of: ['a', 2] }, '/input is one of "a", 2'],
    [MANY, '/steps/find/count ≥ 3'],
    [{ value: '/a', at_most: 0 }, '/a ≤ 0'],
    [{ value: '/a', contains: 'x' }, '/a contains "x"'],
    [
      { all: [FOUND, { any: [MANY, { not: FOUND }] }] },
      '/steps/find is there and (/steps/find/count ≥ 3 or not /steps/find is there)',
    ],
    [{ not: { all: [FOUND, MANY] } }, 'not (/steps/find is there and /steps/find/count ≥ 3)'],
  ])('%j', (condition, words) => {
    expect(conditionWords(condition)).toBe(words);
  });

  it.each([[{ value: 7 }], [{ value: '/a' }], ['text'], [null], [[]]])(
    '%j is shown as it is',
    (condition) => {
      expect(conditionWords(condition)).toBe(JSON.stringify(condition));
    },
  );

  it('is cut where it is endless', () => {
    expect(conditionWords({ value: '/a', equals: 'x'.repeat(9_000) })).toHaveLength(300);
  });
});
