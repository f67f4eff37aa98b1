import { expect, it } from '@jest/globals';
import { addDecimals } from './decimal.js';

it.each([
  ['0', '0', '0'],
  ['0.1', '0.2', '0.3'],
  ['1', '0.000000000000000001', '1.000000000000000001'],
  ['0.75', '0.25', '1'],
  ['9007199254740993', '0.5', '9007199254740993.5'],
  ['0.05', '0.05', '0.1'],
])('%s + %s = %s', (a, b, sum) => expect(addDecimals(a, b)).toBe(sum));
