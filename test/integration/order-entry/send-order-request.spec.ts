import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resealSecrets } from '../../../apps/migrate/src/reseal-secrets.js';
import { dumpDatabase } from '../../support/services/everything-stored.js';
import { ORDERING_TOKEN } from '../../support/services/ordering-service.js';
import { createTestRedis } from '../../support/services/redis-database.js';
import { ENCRYPTION_KEY, EXECUTION, LINE, OrderingWorld } from './ordering-world.js';

const redis = createTestRedis();
const BACKENDS = [['PostgreSQL', undefined], ...(redis === null ? [] : [['Redis', redis.url]])] as [
  string,
  string | undefined,
][];

describe.each(BACKENDS)('POST /api/order-requests/{id}/send/ by the queue of %s', (_name, redisUrl) => {
  let world: OrderingWorld;
  beforeAll(async () => {
    world = await OrderingWorld.open({ withWorker: true, ...(redisUrl !== undefined && { redisUrl }) });
  });
  beforeEach(async () => {
    world.service.instead.length = 0;
    world.service.beforeAnswer = () => Promise.resolve();
    expect((await world.nameService()).status).toBe(200);
  });
  afterAll(() => world.close());

  const keyOf = (id: number): string => `order-request-${EXECUTION}-${id}`;
  const ordersOf = (id: number) => world.service.entries.filter(({ key }) => key === keyOf(id));
  const triesOf = (id: number): number => world.service.keys.filter((key) => key === keyOf(id)).length;

  it('sends what may leave the house, once, and keeps the number (S2-15)', async () => {
    const id = await world.insertOrder(
      [
        { ...LINE, remark: 'ripe' },
        { ...LINE, uom: '', quantity: 0.5 },
      ],
      true,
    );
    const { status, body, headers } = await world.send(id, { 'if-match': '"1"' });
    expect([status, body.status, headers.get('etag')]).toEqual([202, 'sending', '"2"']);
    const sent = await world.settled(id);
    expect(ordersOf(id).map(({ order }) => order)).toEqual([
      {
        order_info: [
          { item_num: 'VEG-1010', quantity: 2, uom: 'CS', remark: 'ripe' },
          { item_num: 'VEG-1010', quantity: 0.5, uom: '', remark: null },
        ],
      },
    ]);
    expect(sent).toMatchObject({
      status: 'sent',
      sending: {
        tries: 1,
        order_number: ordersOf(id)[0]?.order_number,
        failure: null,
        is_outcome_unknown: false,
      },
    });
    expect((await world.changes(id)).map(({ action }) => action)).toEqual(['sent', 'send_asked']);
  });

  it('answers what is there when it is asked again, and sends nothing more', async () => {
    const id = await world.insertOrder([LINE], true);
    const asked = await Promise.all([world.send(id, { 'if-match': '"1"' }), world.send(id), world.send(id)]);
    expect(asked.map(({ status }) => status)).toEqual([202, 202, 202]);
    const { version } = await world.settled(id);
    const again = await world.send(id, { 'if-match': '"1"' });
    expect([again.status, again.body.status, again.body.version]).toEqual([202, 'sent', version]);
    expect((await world.send(id, { 'if-match': '"77"' })).status).toBe(412);
    expect(triesOf(id)).toBe(1);
    const late = await world.patch(id, { is_saved: false });
    expect([late.status, late.body.code]).toEqual([409, 'ORDER_REQUEST_SENT']);
  });

  it.each([
    ['it was not confirmed', [LINE], false, 409, 'ORDER_REQUEST_NOT_CONFIRMED'],
    [
      'an item has left the catalogue',
      [{ ...LINE, item_num: 'GONE-1' }],
      true,
      422,
      'ORDER_REQUEST_NOT_READY',
    ],
  ])('refuses where %s', async (_what, items, isSaved, status, code) => {
    const id = await world.insertOrder(items, isSaved);
    const answer = await world.send(id);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(triesOf(id)).toBe(0);
  });

  it('tries again after trouble and a lost answer, under one key, and it is one order', async () => {
    const id = await world.insertOrder([LINE], true);
    world.service.instead.push((response) => void response.writeHead(503, { 'retry-after': '1' }).end());
    await world.send(id);
    expect(await world.tried(id, 1)).toMatchObject({
      status: 'sending',
      sending: { failure: { code: 'service_trouble', status: 503 }, is_outcome_unknown: true },
    });
    world.service.losesNextAnswer();
    await world.hurry();
    expect(await world.tried(id, 2)).toMatchObject({ sending: { failure: { code: 'answer_lost' } } });
    await world.hurry();
    expect(await world.settled(id)).toMatchObject({ status: 'sent', sending: { tries: 3, failure: null } });
    expect(triesOf(id)).toBe(3);
    expect(ordersOf(id)).toHaveLength(1);
  });

  it('gives up what the service refuses; corrected, it is sent again', async () => {
    const id = await world.insertOrder([LINE], true);
    world.service.instead.push((response) => void response.writeHead(422).end('{}'));
    await world.send(id);
    const failed = await world.settled(id);
    expect(failed).toMatchObject({
      status: 'failed',
      sending: { tries: 1, failure: { code: 'order_refused', status: 422 }, is_outcome_unknown: false },
    });
    const corrected = await world.patch(id, { items: [{ ...LINE, quantity: 9 }] });
    expect(corrected.body).toMatchObject({ status: 'draft', is_saved: true, sending: null });
    await world.send(id);
    expect((await world.settled(id)).status).toBe('sent');
    expect(ordersOf(id).map(({ order }) => order.order_info[0]?.quantity)).toEqual([9]);
  });

  it.each([
    [401, 'service_turned_away'],
    [422, 'order_refused'],
  ])('never makes another order of one that may have arrived, after %d', async (refusal, code) => {
    const id = await world.insertOrder([LINE], true);
    world.service.losesNextAnswer();
    await world.send(id);
    await world.tried(id, 1);
    world.service.instead.push((response) => void response.writeHead(refusal).end());
    await world.hurry();
    expect(await world.settled(id)).toMatchObject({
      status: 'failed',
      sending: { failure: { code }, is_outcome_unknown: true },
    });
    const changed = await world.patch(id, { items: [{ ...LINE, quantity: 9 }] });
    expect([changed.status, changed.body.code]).toEqual([409, 'ORDER_REQUEST_OUTCOME_UNKNOWN']);
    await world.nameService('https://other.example.com/orders');
    const elsewhere = await world.send(id);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([409, 'ORDERING_SERVICE_CHANGED']);
    await world.nameService();
    await world.send(id);
    expect(await world.settled(id)).toMatchObject({ status: 'sent', sending: { is_outcome_unknown: false } });
    expect(ordersOf(id)).toHaveLength(1);
  });

  it('goes nowhere but where it was asked to be sent', async () => {
    const id = await world.insertOrder([LINE], true);
    world.service.instead.push((response) => void response.writeHead(503).end());
    await world.send(id);
    await world.tried(id, 1);
    await world.nameService(`${world.service.url}?other`);
    await world.hurry();
    expect(await world.settled(id)).toMatchObject({
      status: 'failed',
      sending: { tries: 2, failure: { code: 'service_changed' }, is_outcome_unknown: true },
    });
    expect(triesOf(id)).toBe(1);
  });

  it('needs a service that is named', async () => {
    await world.api.dataSource.query('DELETE FROM order_entry.ordering_service');
    const { status, body } = await world.send(await world.insertOrder([LINE], true));
    expect([status, body.code]).toEqual([409, 'ORDERING_SERVICE_MISSING']);
  });

  it('gives up after the last try, and says that nothing is known of it', async () => {
    const id = await world.insertOrder([LINE], true);
    for (let tries = 0; tries < 8; tries += 1)
      world.service.instead.push((response) => void response.writeHead(503).end());
    await world.send(id);
    await world.tried(id, 1);
    await world.api.dataSource.query(
      'UPDATE background_task SET tries = 8, due_at = now(), dispatched_at = NULL',
    );
    expect(await world.settled(id)).toMatchObject({
      status: 'failed',
      sending: { failure: { code: 'try_failed' }, is_outcome_unknown: true },
    });
    expect(await world.api.dataSource.query('SELECT 1 FROM background_task')).toEqual([]);
    expect(ordersOf(id)).toEqual([]);
  });

  it('keeps the token sealed, and seals it anew', async () => {
    const stored = await dumpDatabase(world.database.url);
    expect(stored).not.toContain(ORDERING_TOKEN);
    expect(world.api.log.join('\n')).not.toContain(ORDERING_TOKEN);
    const next = `k2:${Buffer.alloc(32, 8).toString('base64')}`;
    expect(await resealSecrets(world.database.url, `${next},${ENCRYPTION_KEY}`)).toBe(1);
    expect(await resealSecrets(world.database.url, next)).toBe(0);
    expect(await resealSecrets(world.database.url, `${ENCRYPTION_KEY},${next}`)).toBe(1);
  });
});
