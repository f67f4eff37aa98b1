import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { OrderingServiceUnderTest } from '../../support/services/ordering-service.js';
import type { Answer } from '../api/http-client.js';
import { LINE, OrderingWorld, type ShownOrder } from './ordering-world.js';

const SERVICE = '/api/ordering-service/';

let world: OrderingWorld;
let other: OrderingServiceUnderTest;
beforeAll(async () => {
  [world, other] = await Promise.all([OrderingWorld.open(), OrderingServiceUnderTest.start()]);
});
beforeEach(async () => {
  world.service.instead.length = 0;
  expect((await world.nameService()).status).toBe(200);
});
afterAll(async () => {
  await other.close();
  await world.close();
});

const remove = (headers: Record<string, string> = {}) => world.ask(SERVICE, { method: 'DELETE', headers });
const say = (id: number, json: object, headers: Record<string, string> = {}, key?: string): Promise<Answer> =>
  world.ask(`/api/order-requests/${id}/outcome/`, { method: 'POST', json, headers }, key);
const actionsOf = async (id: number) => (await world.changes(id)).map(({ action }) => action);
const ordersAt = (service: OrderingServiceUnderTest, id: number) =>
  service.entries.filter(({ key }) => key.endsWith(`-${id}`));

/** Sends an order of which the service's answer is lost; the next try is due in an hour. */
async function insertLost(): Promise<number> {
  const id = await world.insertOrder([LINE], true);
  world.service.losesNextAnswer();
  await world.send(id);
  await world.tried(id, 1);
  await world.api.dataSource.query(`UPDATE background_task SET due_at = now() + interval '1 hour'`);
  return id;
}

/** Sends an order that is given up with an unknown outcome, because its ordering service was removed. */
async function insertUnknown(): Promise<number> {
  const id = await insertLost();
  await remove();
  await world.settled(id);
  return id;
}

describe('DELETE /api/ordering-service/', () => {
  it('forgets the service and its token', async () => {
    const { headers } = await world.ask(SERVICE);
    expect((await remove({ 'if-match': '"9999"' })).status).toBe(412);
    expect((await remove({ 'if-match': headers.get('etag') ?? '' })).status).toBe(204);
    expect((await world.ask(SERVICE)).status).toBe(404);
    expect((await remove()).status).toBe(404);
    expect(await world.api.dataSource.query('SELECT 1 FROM domain_secret')).toEqual([]);
  });

  it('is of its own tenant, and needs the scope that names one', async () => {
    expect((await world.ask(SERVICE, { method: 'DELETE' }, await world.keyOf('stranger'))).status).toBe(404);
    const some = SCOPES.filter((scope) => scope !== 'agents:write');
    const answer = await world.ask(SERVICE, { method: 'DELETE' }, await world.keyOf('default', some));
    expect(answer.status).toBe(403);
    expect((await world.ask(SERVICE)).status).toBe(200);
  });

  it.each([
    ['is removed', remove, 'service_removed'],
    ['gives way to another one', () => world.nameService(other.url), 'service_changed'],
  ])('has what is on its way there end at once where the service %s', async (_what, change, code) => {
    const id = await insertLost();
    await world.api.dataSource.query(
      `INSERT INTO background_task (id, tenant_id, kind, data, due_at)
       SELECT gen_random_uuid(), tenant_id, kind, data, due_at
         FROM (SELECT data, due_at FROM background_task) known,
              (VALUES ('stranger', 'order-entry/send-order'), ('default', 'another/kind')) own (tenant_id, kind)`,
    );
    await change();
    expect(await world.settled(id)).toMatchObject({
      status: 'failed',
      sending: { tries: 2, failure: { code }, is_outcome_unknown: true },
    });
    expect(ordersAt(world.service, id)).toHaveLength(1);
    expect(ordersAt(other, id)).toEqual([]);
    const left = await world.api.dataSource.query<{ is_waiting: boolean }[]>(
      `DELETE FROM background_task RETURNING due_at > now() + interval '30 minutes' AS is_waiting`,
    );
    expect(left[0]).toEqual([{ is_waiting: true }, { is_waiting: true }]);
  });

  it('goes on with what is on its way where the same service is named again', async () => {
    const id = await insertLost();
    await world.nameService();
    expect((await world.show(id)).sending?.tries).toBe(1);
    await world.hurry();
    expect((await world.settled(id)).status).toBe('sent');
  });
});

describe('POST /api/order-requests/{id}/outcome/', () => {
  it('takes the word of a person that it is sent, and keeps whose', async () => {
    const id = await insertUnknown();
    const stuck = [await world.send(id), await world.patch(id, { is_saved: false })];
    expect(stuck.map(({ body }) => body.code)).toEqual([
      'ORDERING_SERVICE_MISSING',
      'ORDER_REQUEST_OUTCOME_UNKNOWN',
    ]);
    const { version } = await world.show(id);
    const sent = { outcome: 'sent', order_number: ' SO-77 ' };
    expect((await say(id, sent, { 'if-match': `"${version - 1}"` })).status).toBe(412);
    const { status, body, headers } = await say(id, sent, { 'if-match': `"${version}"` });
    expect([status, headers.get('etag')]).toEqual([200, `"${version + 1}"`]);
    expect(body).toMatchObject({
      status: 'sent',
      sending: {
        order_number: 'SO-77',
        sent_at: expect.any(String),
        failure: null,
        is_outcome_unknown: false,
      },
    });
    const times = await world.api.dataSource.query<unknown[]>(
      'SELECT sent_at = updated_at AS is_that_of_database FROM order_entry.order_request WHERE id = $1',
      [id],
    );
    expect(times).toEqual([{ is_that_of_database: true }]);
    const [found] = await world.changes(id);
    expect(found).toMatchObject({ action: 'found_sent', version: version + 1, key_id: expect.any(String) });

    const again = await say(id, sent);
    expect([again.status, again.body.version]).toEqual([200, version + 1]);
    const differently = [
      await say(id, { ...sent, order_number: 'SO-78' }),
      await say(id, { outcome: 'not_sent' }),
    ];
    expect(differently.map(({ body: { code } }) => code)).toEqual([
      'ORDER_REQUEST_SENT',
      'ORDER_REQUEST_SENT',
    ]);
    expect((await world.show(id)).sending?.order_number).toBe('SO-77');
  });

  it('takes it that it is not sent: it is changed, and sent to another service', async () => {
    const id = await insertUnknown();
    const { status, body } = await say(id, { outcome: 'not_sent' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'failed',
      sending: { failure: { code: 'service_removed' }, is_outcome_unknown: false },
    });
    const again = await say(id, { outcome: 'not_sent' });
    expect([again.status, again.body.version]).toEqual([200, body.version]);
    expect((await say(id, { outcome: 'sent', order_number: 'SO-1' })).body.code).toBe(
      'ORDER_REQUEST_OUTCOME_KNOWN',
    );
    expect((await world.patch(id, { items: [{ ...LINE, quantity: 3 }] })).status).toBe(200);
    await world.nameService(other.url);
    await world.send(id);
    expect((await world.settled(id)).status).toBe('sent');
    expect(ordersAt(other, id).map(({ order }) => order.order_info[0]?.quantity)).toEqual([3]);
    expect(await actionsOf(id)).toEqual([
      ...['sent', 'send_asked', 'changed', 'found_not_sent', 'send_failed', 'send_asked'],
    ]);
  });

  it('makes no second order where the word was wrong: the service knows the key', async () => {
    const id = await insertUnknown();
    await say(id, { outcome: 'not_sent' });
    await world.nameService();
    await world.send(id);
    const { status, sending } = await world.settled(id);
    const [order, ...more] = ordersAt(world.service, id);
    expect([status, sending?.order_number, more]).toEqual(['sent', order?.order_number, []]);
  });

  it('takes one of two words that are given at once', async () => {
    const id = await insertUnknown();
    const said = await Promise.all([
      say(id, { outcome: 'sent', order_number: 'SO-1' }),
      say(id, { outcome: 'sent', order_number: 'SO-2' }),
    ]);
    expect(said.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await actionsOf(id)).filter((action) => action === 'found_sent')).toHaveLength(1);
  });

  const under = async (given: object): Promise<number> => {
    const id = await world.insertOrder([LINE], true);
    const change = { status: 'draft', ...given };
    const assignments = Object.keys(change).map((column, index) => `${column} = $${index + 2}`);
    await world.api.dataSource.query(
      `UPDATE order_entry.order_request SET ${assignments.join()} WHERE id = $1`,
      [id, ...(Object.values(change) as unknown[])],
    );
    return id;
  };
  it.each<[string, Partial<Record<'status' | 'is_outcome_unknown', ShownOrder['status'] | boolean>>, string]>(
    [
      ['it was not sent', {}, 'ORDER_REQUEST_OUTCOME_KNOWN'],
      ['it is known not to be there', { status: 'failed' }, 'ORDER_REQUEST_OUTCOME_KNOWN'],
      ['it is being sent', { status: 'sending', is_outcome_unknown: true }, 'ORDER_REQUEST_SENT'],
      ['it was sent', { status: 'sent' }, 'ORDER_REQUEST_SENT'],
    ],
  )('refuses where %s', async (_what, change, code) => {
    const id = await under(change);
    const before = await world.show(id);
    const { status, body } = await say(id, { outcome: 'sent', order_number: 'SO-1' });
    expect([status, body.code]).toEqual([409, code]);
    expect(await world.show(id)).toEqual(before);
  });

  it.each([
    [{ outcome: 'sent' }, '#/order_number'],
    [{ outcome: 'sent', order_number: ' ' }, '#/order_number'],
    [{ outcome: 'sent', order_number: 'x'.repeat(101) }, '#/order_number'],
    [{ outcome: 'not_sent', order_number: 'SO-1' }, '#/order_number'],
    [{ outcome: 'lost' }, '#/outcome'],
    [{}, '#/outcome'],
  ])('refuses %j', async (json, pointer) => {
    const { status, body } = await say(await under({}), json);
    expect([status, body.errors]).toMatchObject([400, [{ pointer }]]);
  });

  it('is of its own tenant, and for those who may decide', async () => {
    const id = await insertUnknown();
    const found = { outcome: 'not_sent' };
    expect((await say(id, found, {}, await world.keyOf('stranger'))).status).toBe(404);
    const some = SCOPES.filter((scope) => scope !== 'approvals:decide');
    expect((await say(id, found, {}, await world.keyOf('default', some))).status).toBe(403);
    expect((await world.show(id)).sending?.is_outcome_unknown).toBe(true);
  });
});
