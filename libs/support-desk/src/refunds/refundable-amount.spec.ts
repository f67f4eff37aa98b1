import { expect, it } from '@jest/globals';
import { isRefundable } from './refundable-amount.js';

it.each([
  ['49.90', true],
  ['0.01', true],
  ['60.00', true],
  ['500.00', true],
  ['500.01', false],
  ['999999.99', false],
  ['0.00', false],
  ['-5.00', false],
  ['5', false],
  ['5.0', false],
  ['5.001', false],
  ['1e2', false],
  ['1,000.00', false],
  ['', false],
])('the order %j can be refunded: %j', (amount, expected) => {
  expect(isRefundable(amount)).toBe(expected);
});
