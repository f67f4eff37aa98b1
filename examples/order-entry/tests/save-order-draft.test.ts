import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, killAtEveryCommit, testAgent } from 'capstan/kit/testing';
import { salesAgent } from '../capstan/domains/order-entry/agents/sales-agent.ts';
import { orderEntry } from '../capstan/domains/order-entry/index.ts';
import { saveOrderDraftTool } from '../capstan/domains/order-entry/tools/save-order-draft.tool.ts';
import { searchItemsTool } from '../capstan/domains/order-entry/tools/search-items.tool.ts';
import { fakeDatabase, LINE } from './fake-database.ts';

const draft = (line: object) =>
  call(saveOrderDraftTool, { order_info: [{ ...LINE, ...line }], customer_name: 'Harbor Grill' });
const options = (line: object = {}) => ({
  domain: orderEntry,
  database: fakeDatabase(),
  model: [
    call(searchItemsTool, { query: 'roma toms', limit: null }),
    draft(line),
    'Order request 1 is saved.',
  ],
});

test('an order is drafted with what the search has found, for a person to confirm', async () => {
  const { outcome, staged, data, calls } = await testAgent(salesAgent, options());
  assert.equal(outcome.status, 'completed');
  assert.match(calls[0]?.output ?? '', /VEG-1010/);
  assert.deepEqual(data, { savedOrderRequestId: 1 });
  assert.deepEqual(staged, [
    {
      kind: 'order_request.saved',
      data: {
        id: 1,
        customerId: 1,
        customerName: 'Harbor Grill',
        payload: { items: [LINE], isSaved: false },
      },
    },
  ]);
});

for (const [what, line, reason] of [
  ['of an unknown item', { item_num: 'XXX-1' }, /XXX-1.* is not in the catalogue/],
  ['without an amount', { quantity: 0 }, /quantity 0 is not above 0/],
] as const)
  test(`a ready line ${what} saves nothing, and the model reads why`, async () => {
    const { staged, calls } = await testAgent(salesAgent, options(line));
    assert.match(calls[1]?.output ?? '', reason);
    assert.deepEqual(staged, []);
  });

test('nothing is declared wrongly: its process may die anywhere', async () => {
  const { faults, outcomes } = await killAtEveryCommit(salesAgent, options());
  assert.deepEqual(faults, []);
  assert.deepEqual(Object.keys(outcomes), ['completed']);
});
