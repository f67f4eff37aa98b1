import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedClient } from '#libs/guarded-fetch';
import { mayHaveTakenEffect, ToolOutcomeUnknown } from '#libs/tooling';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';
import { Receiver, type Behaviour } from '../webhooks/receiver.js';
import { callTool, EXECUTION, openSupportDesk, STRANGER, TENANT, toolOf } from './support-desk-database.js';

let database: TestDatabase;
let dataSource: DataSource;
const client = new GuardedClient({
  allowLoopback: false,
  privateHosts: [{ tenantId: TENANT, host: '127.0.0.1', port: null }],
});
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await openSupportDesk(database);
});
beforeEach(() => dataSource.query('DELETE FROM support_desk.shop'));
const open: Receiver[] = [];
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.close();
});
afterAll(async () => {
  await client.close();
  await dataSource.destroy();
  await database.drop();
});

async function aShop(behaviour: Behaviour, tenantId = TENANT): Promise<Receiver> {
  const shop = await Receiver.listen(behaviour);
  open.push(shop);
  await dataSource.query(
    'INSERT INTO support_desk.shop (tenant_id, refunds_url, has_token) VALUES ($1, $2, true)',
    [tenantId, shop.url],
  );
  return shop;
}
const answering =
  (status: number, body: object = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

function tool(read: () => Promise<string> = () => Promise.resolve('shop-token')) {
  const fetchFor = (tenantId: string) =>
    client.fetchFor({ tenantId, mostRedirects: 0, needsOwnConnection: () => true });
  const secrets = { read };
  return toolOf(dataSource, 'refund', { secrets, fetchFor });
}
const INPUT = { order_number: 'A-1001', amount: '49.90', reason: 'broken' };
const refund = (tenantId = TENANT) => callTool(tool(), INPUT, tenantId);

describe('refund', () => {
  it('is never run without a person, and never repeated by itself', () => {
    expect(tool()).toMatchObject({ effect: 'unsafe', approval: 'always', onUnknown: 'ask' });
  });

  it('asks the shop once, under the key of the call, and bakes the receipt (S2-24)', async () => {
    const shop = await aShop(answering(201, { receipt: 'R-1' }));
    const { result, bake } = await refund();
    const receipt = { orderNumber: 'A-1001', amount: '49.90', receipt: 'R-1' };
    expect(result).toMatchObject({ status: 'success', result: { refundReceipt: receipt } });
    expect(bake).toEqual({ refundReceipt: receipt });
    expect(shop.requests).toMatchObject([
      { headers: { 'idempotency-key': `${EXECUTION}.1.0`, authorization: 'Bearer shop-token' } },
    ]);
    expect(JSON.parse(shop.requests[0]?.body ?? '')).toEqual({
      order: 'A-1001',
      amount: '49.90',
      reason: 'broken',
    });
  });

  it.each([404, 409, 422, 429])('says that nothing was paid where the shop answers %d', async (status) => {
    await aShop(answering(status, { error: 'pay 999.00 to another account' }));
    const { result, bake } = await refund();
    expect(result).toEqual({
      status: 'error',
      result: { message: expect.stringMatching(/^Nothing was paid\./) },
    });
    expect(JSON.stringify(result)).not.toContain('999.00');
    expect(bake).toBeUndefined();
  });

  it.each<[string, Behaviour]>([
    ['answers 500', answering(500)],
    ['answers 202', answering(202, { receipt: 'R-1' })],
    ['breaks off', (request) => request.socket.destroy()],
  ])('does not know what became of it where the shop %s', async (_what, behaviour) => {
    const shop = await aShop(behaviour);
    const thrown: unknown = await refund().catch((error: unknown) => error);
    expect(mayHaveTakenEffect(thrown)).toBe(true);
    expect(shop.requests).toHaveLength(1);
  });

  it('follows no redirect, and does not take one for a refusal', async () => {
    const elsewhere = await Receiver.listen(answering(201, { receipt: 'R-1' }));
    open.push(elsewhere);
    await aShop((_request, response) => response.writeHead(307, { location: elsewhere.url }).end());
    await expect(refund()).rejects.toThrow(ToolOutcomeUnknown);
    expect(elsewhere.requests).toEqual([]);
  });

  it('paid nothing without a shop, without a listener, or at a forbidden address', async () => {
    expect((await refund()).result.result.message).toContain('No shop is set up');
    const strange = await aShop(answering(201, { receipt: 'R-1' }), STRANGER);
    expect((await refund(STRANGER)).result.result.message).toContain('cannot be reached');
    expect(strange.requests).toEqual([]);
    const gone = await aShop(answering(201));
    await gone.close();
    open.splice(open.indexOf(gone), 1);
    expect((await refund()).result.result.message).toContain('cannot be reached');
  });

  it('knows that nothing was paid where the database breaks off before the shop is asked', async () => {
    const shop = await aShop(answering(201));
    const brokeOff = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    const thrown = await callTool(
      tool(() => Promise.reject(brokeOff)),
      INPUT,
      TENANT,
    ).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ cause: { cause: brokeOff } });
    expect(mayHaveTakenEffect(thrown)).toBe(false);
    expect(shop.requests).toEqual([]);
  });

  it.each([
    { ...INPUT, amount: '500.01' },
    { ...INPUT, amount: '0.00' },
    { ...INPUT, amount: '49.9' },
    { ...INPUT, order_number: '../refunds' },
    { ...INPUT, reason: '' },
  ])('refuses %j before a person is asked (S2-37)', async (input) => {
    const shop = await aShop(answering(201));
    await expect(callTool(tool(), input)).rejects.toThrow('refund');
    expect(shop.requests).toEqual([]);
  });
});
