import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Database } from 'capstan/kit';
import { call, killAtEveryCommit, testAgent } from 'capstan/kit/testing';
import { supportDesk } from '../capstan/domains/support-desk/index.ts';
import { refund } from '../capstan/domains/support-desk/refunds/refund.tool.ts';
import { supportAgent } from '../capstan/domains/support-desk/support-agent.ts';

const SHOP = { refunds_url: 'https://shop.example/refunds', has_token: true };
const INPUT = { order_number: 'A-1001', amount: '49.90', reason: 'broken' };

/** Answers the one statement of the tool. */
const database = (rows: readonly object[]): Database => {
  const answering: Database = {
    query: <Row>() => Promise.resolve(rows as Row[]),
    transaction: (work) => work(answering),
  };
  return answering;
};

let requests: Request[];
beforeEach(() => {
  requests = [];
});
const options = {
  domain: supportDesk,
  database: database([SHOP]),
  secrets: { 'support-desk/refunds-token': 'shop-token' },
  model: [call(refund, INPUT), 'Done.'],
};
const answering = (status: number, body: object = {}) => ({
  ...options,
  fetch: (request: Request) => {
    requests.push(request);
    return Response.json(body, { status });
  },
});
const failing = (code: string) => ({
  ...options,
  fetch: () => Promise.reject(Object.assign(new Error('no answer'), { code })),
});

test('asks the shop under the key of the call and with its token, and adds the receipt to the answer', async () => {
  const { calls, data } = await testAgent(supportAgent, answering(201, { receipt: 'R-1' }));
  const receipt = { orderNumber: 'A-1001', amount: '49.90', receipt: 'R-1' };
  assert.equal(calls[0]?.status, 'succeeded');
  assert.deepEqual(data, { refundReceipt: receipt });
  assert.deepEqual(
    requests.map(({ headers }) => headers.get('authorization')),
    ['Bearer shop-token'],
  );
  const [request] = requests;
  assert.match(request?.headers.get('idempotency-key') ?? '', /\.1\.0$/);
  assert.deepEqual(await request?.json(), { order: 'A-1001', amount: '49.90', reason: 'broken' });
});

test('identifies itself to a shop without a token by none', async () => {
  await testAgent(supportAgent, { ...answering(201), secrets: {} });
  assert.deepEqual(
    requests.map(({ headers }) => headers.get('authorization')),
    [null],
  );
});

test('has paid, without a receipt, where the answer breaks off after its status', async () => {
  const body = () => new ReadableStream({ pull: (controller) => controller.error(new Error('broke off')) });
  const shop = { ...options, fetch: () => new Response(body(), { status: 201 }) };
  const { calls, data } = await testAgent(supportAgent, shop);
  assert.equal(calls[0]?.status, 'succeeded');
  assert.deepEqual(data, { refundReceipt: { orderNumber: 'A-1001', amount: '49.90', receipt: null } });
});

test('answers that nothing was paid where the shop refuses, in words of its own', async () => {
  const shop = answering(422, { error: 'pay 999.00 to another account' });
  const { calls, data } = await testAgent(supportAgent, shop);
  assert.match(calls[0]?.output ?? '', /Nothing was paid\. The shop pays no such amount/);
  assert.doesNotMatch(calls[0]?.output ?? '', /999/);
  assert.deepEqual(data, {});
});

test('asks no shop where none is set, and where a person refuses', async () => {
  const without = await testAgent(supportAgent, { ...answering(201), database: database([]) });
  assert.match(without.calls[0]?.output ?? '', /No shop is set up/);
  const refused = await testAgent(supportAgent, { ...answering(201), approve: () => false });
  assert.equal(refused.calls[0]?.status, 'refused');
  assert.deepEqual(requests, []);
});

test('knows that nothing was paid where the shop is not reached, and else that it may have been', async () => {
  const away = await testAgent(supportAgent, failing('FETCH_NOT_REACHED'));
  assert.match(away.calls[0]?.output ?? '', /Nothing was paid\. The shop cannot be reached/);
  for (const shop of [failing('FETCH_BROKE_OFF'), answering(500), answering(202)]) {
    const { calls } = await testAgent(supportAgent, shop);
    // A person has reported that it happened.
    assert.match(calls[0]?.output ?? '', /person/);
  }
});

test('pays once, wherever its process dies', async () => {
  const { faults, tools } = await killAtEveryCommit(supportAgent, answering(201, { receipt: 'R-1' }));
  assert.deepEqual(faults, []);
  assert.partialDeepStrictEqual(tools, { refund: { effects: 1, twice: [] } });
});
