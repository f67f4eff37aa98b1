import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDecimals, compareDecimals, subtractDecimals } from './decimal.js';

it.each([
  ['0', '0', '0'],
  ['0.1', '0.2', '0.3'],
  ['1', '0.000000000000000001', '1.000000000000000001'],
  ['0.75', '0.25', '1'],
  ['9007199254740993', '0.5', '9007199254740993.5'],
  ['0.05', '0.05', '0.1'],
])('%s + %s = %s', (a, b, sum) => expect(addDecimals(a, b)).toBe(sum));

describe('compareDecimals', () => {
  it.each([
    ['1', '1.0', 0],
    ['0.10', '0.1', 0],
    ['007', '7', 0],
    ['0.09', '0.1', -1],
    ['0.3', '0.30000000000000004', -1],
    ['10', '9', 1],
    ['9007199254740993', '9007199254740992', 1],
  ])('%s compared with %s is %d', (a, b, order) => expect(compareDecimals(a, b)).toBe(order));

  it.each(['', '-1', '1.', '.5', '1e3', ' 1', 'NaN', '1,5', '1'.repeat(101)])('%j is no number', (text) => {
    expect(() => compareDecimals(text, '0')).toThrow('not a decimal number');
  });

  it('agrees with whole numbers, wherever the point stands', () => {
    const amount = fc.bigInt({ min: 10n ** 20n, max: 10n ** 21n - 1n });
    const point = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(amount, amount, point, (a, b, at) => {
        const [left, right] = [a, b].map(
          (value) => `${String(value).slice(0, at)}.${String(value).slice(at)}`,
        );
        expect(compareDecimals(left ?? '', right ?? '')).toBe(a === b ? 0 : a < b ? -1 : 1);
      }),
    );
  });
});

describe('subtractDecimals', () => {
  it.each([
    ['1', '0.9', '0.1'],
    ['0.0500005', '0.05', '0.0000005'],
    ['2', '2', '0'],
    ['10', '1', '9'],
  ])('%s − %s = %s', (a, b, expected) => expect(subtractDecimals(a, b)).toBe(expected));

  it('has no negative numbers', () =>
    expect(() => subtractDecimals('1', '2')).toThrow('not a decimal number'));
});
