import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefundable } from '../capstan/domains/support-desk/refunds/refundable-amount.ts';

for (const [amount, expected] of [
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
] as const)
  test(`"${amount}" ${expected ? 'can' : 'cannot'} be refunded`, () => {
    assert.equal(isRefundable(amount), expected);
  });
