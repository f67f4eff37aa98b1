import { describe, expect, it } from '@jest/globals';
import { negated, sumDecimals } from './decimals.js';

describe('sumDecimals', () => {
  it.each<[texts: (string | null)[], sum: string | null]>([
    [['0.1', '0.2'], '0.3'],
    [['0.100000000000000001', '0.2'], '0.300000000000000001'],
    [['99999999999999999999', '1'], '100000000000000000000'],
    [['1.50', '0.50'], '2'],
    [['0.25', '-0.25'], '0'],
    [['0.1', '-0.35'], '-0.25'],
    [[null, '3'], '3'],
    [[null, null], null],
    [[], null],
    [['1e3'], null],
  ])('%j make %j', (texts, sum) => {
    expect(sumDecimals(texts)).toBe(sum);
  });
});

describe('negated', () => {
  it.each([
    ['0.5', '-0.5'],
    ['-0.5', '0.5'],
  ])('%s gives %s', (text, negative) => {
    expect(negated(text)).toBe(negative);
  });
});
