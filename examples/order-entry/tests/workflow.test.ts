import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testAgent } from 'capstan/kit/testing';
import { orderEntryWorkflow } from '../capstan/domains/order-entry/agents/order-entry-workflow.ts';
import { orderEntry } from '../capstan/domains/order-entry/index.ts';
import { fakeDatabase, LINE } from './fake-database.ts';

const EXTRACTED = {
  customer_name: 'Harbor Grill',
  lines: [{ original_text: '2 cs roma toms', query: 'roma toms', quantity: 2, uom: 'CS', remark: null }],
  no_order_reply: null,
};
const REVIEW = {
  message: 'One thing to look at.',
  reviewerAgentOutput: {
    verdict: 'needs_person',
    findings: [{ line: 1, problem: 'Twice as much as ever.' }],
  },
};
const run = (model: Record<string, string[]>) =>
  testAgent(orderEntryWorkflow, {
    domain: orderEntry,
    database: fakeDatabase(),
    input: '2 cs roma toms',
    model,
  });

test('an order goes through its steps, and a line that the reviewer names is left to a person', async () => {
  const { outcome, staged, data } = await run({
    extract: [JSON.stringify(EXTRACTED)],
    draft: [JSON.stringify({ order_info: [LINE], customer_name: 'Harbor Grill' })],
    review: [JSON.stringify(REVIEW)],
  });
  assert.equal(outcome.status, 'completed');
  assert.match(outcome.text, /^Order request 1 is drafted for Harbor Grill: 1 line, 0 ready\./);
  assert.equal(data['savedOrderRequestId'], 1);
  assert.match(JSON.stringify(staged), /"status":"todo".*Twice as much as ever\./);
});

test('a text that is no order is answered, and nothing is drafted', async () => {
  const nothing = { customer_name: null, lines: [], no_order_reply: 'I take orders.' };
  const { outcome, staged } = await run({ extract: [JSON.stringify(nothing)] });
  assert.deepEqual(outcome, { status: 'completed', text: 'I take orders.' });
  assert.deepEqual(staged, []);
});
