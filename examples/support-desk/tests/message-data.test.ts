import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { supportInput, supportStored } from '../capstan/domains/support-desk/message-data.ts';

const input = z.strictObject(supportInput).partial();

test('the front end may send each key alone', () => {
  for (const data of [
    { supportChannel: 'chat' },
    { shownOrderNumber: 'A-1001' },
    { supportUserAgent: 'Foxfire/9' },
  ])
    assert.deepEqual(input.parse(data), data);
});

for (const data of [
  { supportChannel: 'fax' },
  { shownOrderNumber: 'A/1001' },
  { supportUserAgent: 'x'.repeat(501) },
])
  test(`the front end may not send ${JSON.stringify(data).slice(0, 40)}`, () => {
    assert.equal(input.safeParse(data).success, false);
  });

test('a receipt names whether there is one', () => {
  const { refundReceipt } = supportStored;
  const receipt = { orderNumber: 'A-1001', amount: '49.90', receipt: null };
  assert.deepEqual(refundReceipt.parse(receipt), receipt);
  assert.equal(refundReceipt.safeParse({ orderNumber: 'A-1001' }).success, false);
});
