import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseApiKey } from '#libs/persistence';
import { EXECUTION, LINE, OrderingWorld } from './ordering-world.js';

let world: OrderingWorld;
beforeAll(async () => {
  world = await OrderingWorld.open({ withWorker: false });
});
afterAll(() => world.close());

const OPEN_LINE = {
  ...LINE,
  item_num: '',
  status: 'todo',
  confidence: 'low',
  help_request_message: 'Which?',
};

describe('PATCH /api/order-requests/{id}/', () => {
  it('replaces lines and confirms them, and names the version (S2-13)', async () => {
    const id = await world.insertOrder([OPEN_LINE]);
    const { status, body, headers } = await world.patch(id, { items: [LINE, LINE], is_saved: true });
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"2"');
    expect(body).toMatchObject({ id, execution_id: EXECUTION, is_saved: true, version: 2, status: 'draft' });
    expect(body.items).toEqual([
      expect.objectContaining({ ...LINE, item_name: expect.any(String) as unknown }),
      expect.objectContaining(LINE),
    ]);
    expect(await world.show(id)).toEqual(body);
  });

  it('takes lines as they were answered', async () => {
    const id = await world.insertOrder();
    const { items } = (await world.ask(`/api/order-requests/${id}/`)).body as { items: object[] };
    const { status, body } = await world.patch(id, {
      items: items.map((line) => ({ ...line, quantity: 7 })),
    });
    expect(status).toBe(200);
    expect(body.items).toEqual(items.map((line) => ({ ...line, quantity: 7 })));
    const [row] = await world.api.dataSource.query<[{ names: boolean }]>(
      `SELECT payload -> 'items' -> 0 ? 'item_name' AS names FROM order_entry.order_request WHERE id = $1`,
      [id],
    );
    expect(row.names).toBe(false);
  });

  it('is shown anew where an item has another name, in the same version', async () => {
    const id = await world.insertOrder([LINE]);
    const at = `/api/order-requests/${id}/`;
    const tag = String((await world.ask(at)).headers.get('etag'));
    const again = () => world.ask(at, { headers: { 'if-none-match': tag } });
    expect((await again()).status).toBe(304);
    await world.api.dataSource.query(
      `UPDATE order_entry.catalogue_item SET name = 'Plum tomatoes' WHERE item_num = $1`,
      [LINE.item_num],
    );
    expect(await again()).toMatchObject({ status: 200, body: { items: [{ item_name: 'Plum tomatoes' }] } });
    expect((await world.patch(id, { is_saved: true }, { 'if-match': tag })).status).toBe(200);
  });

  it('changes just the version that If-Match names', async () => {
    const id = await world.insertOrder();
    expect((await world.patch(id, { is_saved: true }, { 'if-match': '"1"' })).status).toBe(200);
    const late = await world.patch(id, { is_saved: false }, { 'if-match': '"1"' });
    expect([late.status, late.body.code]).toEqual([412, 'VERSION_CHANGED']);
    expect((await world.show(id)).is_saved).toBe(true);
  });

  it('lets one of two win who change the same version at once', async () => {
    const id = await world.insertOrder();
    const answers = await Promise.all(
      [3, 4, 5].map((quantity) => world.patch(id, { items: [{ ...LINE, quantity }] }, { 'if-match': '"1"' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    expect((await world.show(id)).version).toBe(2);
  });

  it('keeps who changed what, and nothing where nothing changed', async () => {
    const id = await world.insertOrder([OPEN_LINE]);
    const clerk = await world.keyOf('default', ['approvals:decide']);
    const path = `/api/order-requests/${id}/`;
    await world.ask(path, { method: 'PATCH', json: { items: [LINE] } }, clerk);
    await world.ask(path, { method: 'PATCH', json: { items: [LINE] } }, clerk);
    await world.patch(id, { is_saved: true });
    const changes = await world.changes(id);
    expect(changes).toMatchObject([
      { action: 'changed', version: 3, before: { is_saved: false }, after: { is_saved: true } },
      {
        ...{ action: 'changed', version: 2, key_id: parseApiKey(clerk)?.id },
        before: { is_saved: false, items: [OPEN_LINE] },
        after: { is_saved: false, items: [LINE] },
      },
    ]);
    expect(new Set(changes.map(({ key_id }) => key_id)).size).toBe(2);
    expect((await world.ask(`${path}changes/`, {}, clerk)).status).toBe(403);
  });

  it.each<[string, unknown, string]>([
    ['an unknown field', { isSaved: true }, '#/isSaved'],
    ['another type', { is_saved: 'yes' }, '#/is_saved'],
    ['a line without an amount', { items: [{ ...LINE, quantity: undefined }] }, '#/items/0/quantity'],
    ['a negative amount', { items: [LINE, { ...LINE, quantity: -1 }] }, '#/items/1/quantity'],
    ['a unit that is none', { items: [{ ...LINE, uom: 'KG' }] }, '#/items/0/uom'],
    ['an unknown field of a line', { items: [{ ...LINE, itemNum: 'x' }] }, '#/items/0/itemNum'],
  ])('refuses %s, and names the field', async (_what, json, pointer) => {
    const id = await world.insertOrder();
    const { status, body } = await world.patch(id, json);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
    expect((await world.show(id)).version).toBe(1);
  });

  it('refuses to confirm what cannot be ordered, and names each line (S2-13)', async () => {
    const id = await world.insertOrder();
    const items = [LINE, { ...LINE, item_num: 'XXX-1' }, { ...LINE, status: 'todo', quantity: 0 }];
    const { status, body } = await world.patch(id, { items, is_saved: true });
    expect([status, body.code]).toEqual([422, 'ORDER_REQUEST_NOT_READY']);
    expect((body.errors as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
      '#/items/1/item_num',
      '#/items/2/status',
      '#/items/2/quantity',
    ]);
    expect(await world.show(id)).toMatchObject({ version: 1, is_saved: false });
  });

  it('knows no order request of another tenant', async () => {
    const id = await world.insertOrder();
    const stranger = await world.keyOf('stranger');
    const path = `/api/order-requests/${id}`;
    const answers = [
      await world.ask(`${path}/`, { method: 'PATCH', json: { is_saved: true } }, stranger),
      await world.ask(`${path}/send/`, { method: 'POST' }, stranger),
      await world.ask(`${path}/changes/`, {}, stranger),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await world.show(id)).toMatchObject({ version: 1, is_saved: false });
  });
});

describe('/api/ordering-service/', () => {
  it('is named as a whole, and never shows its token', async () => {
    expect((await world.ask('/api/ordering-service/')).status).toBe(404);
    const named = await world.nameService();
    expect(named.body).toMatchObject({ url: world.service.url, has_token: true, version: 1 });
    const other = 'https://orders.example.com/orders';
    const late = { method: 'PUT', json: { url: other }, headers: { 'if-match': '"7"' } };
    expect((await world.ask('/api/ordering-service/', late)).status).toBe(412);
    const moved = await world.ask('/api/ordering-service/', { method: 'PUT', json: { url: other } });
    expect(moved.body).toMatchObject({ url: other, has_token: false, version: 2 });
    expect(await world.api.dataSource.query('SELECT 1 FROM domain_secret')).toEqual([]);
    expect((await world.ask('/api/ordering-service/', {}, await world.keyOf('stranger'))).status).toBe(404);
  });

  it.each([
    ['ftp://orders.example.com/', 400],
    ['orders', 400],
    ['http://10.0.0.1/orders', 400],
    ['http://localhost/orders', 400],
    ['https://user:secret@orders.example.com/', 400],
  ])('refuses %s', async (url, status) => {
    const answer = await world.ask('/api/ordering-service/', { method: 'PUT', json: { url } });
    expect(answer.status).toBe(status);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer: '#/url' })]);
  });
});
