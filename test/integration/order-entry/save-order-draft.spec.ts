import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainCatalogue, type StagedChange } from '#libs/tooling';
import type { DataSource } from 'typeorm';
import type { OrderDraftItemRequest } from '../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-draft.schema.ts';
import { ORDER_REQUEST_SAVED } from '../../../examples/order-entry/capstan/domains/order-entry/order-requests/order-request-saved.ts';
import { anOrderDraftLine } from '../../support/builders/order-draft-line.js';
import { createTestDatabase } from '../../support/services/test-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import {
  callTool,
  DOMAIN,
  EXECUTION,
  findTool,
  openOrderEntry,
  readOrder,
  STRANGER,
  TENANT,
} from './order-entry-database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await openOrderEntry(database);
});

beforeEach(async () => {
  await dataSource.query('DELETE FROM order_entry.order_request');
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const OTHER_EXECUTION = '0193a000-0000-7000-8000-000000000002';
const settling = { tenantId: TENANT, executionId: EXECUTION };

async function saveDraft(order_info: OrderDraftItemRequest[], customer_name: string | null = 'Harbor Grill') {
  const { result, bake, staged } = await callTool(findTool(dataSource, 'save_order_draft'), {
    order_info,
    customer_name,
  });
  return { result, bake, staged, id: Number(result.result['savedOrderRequestId']) };
}

async function stageDraft(order_info = [anOrderDraftLine()], customer_name: string | null = 'Harbor Grill') {
  const { staged, id } = await saveDraft(order_info, customer_name);
  const [change] = staged ?? [];
  if (change === undefined) throw new Error('the draft staged nothing');
  return { id, change };
}

async function countOrders(): Promise<number> {
  const [row] = await dataSource.query<[{ count: number }]>(
    'SELECT count(*)::int AS count FROM order_entry.order_request',
  );
  return row.count;
}

const catalogue = new DomainCatalogue([DOMAIN]);
const apply = (change: StagedChange, context = settling) =>
  catalogue.applyStagedChange(dataSource.manager, change, context);

describe('save_order_draft', () => {
  it('answers and bakes a reserved number, stages the order and shows nothing yet (S2-4, S2-17, S2-24, S4-20)', async () => {
    const { result, bake, staged, id } = await saveDraft([anOrderDraftLine({ pack_size: null })]);
    expect(id).toBeGreaterThan(0);
    expect(result).toEqual({
      status: 'success',
      result: { message: expect.stringContaining(`Order request ${id}`), savedOrderRequestId: id },
    });
    expect(bake).toEqual({ savedOrderRequestId: id });
    expect(staged).toEqual([
      {
        kind: ORDER_REQUEST_SAVED,
        data: {
          id,
          customerId: expect.any(Number),
          customerName: 'Harbor Grill',
          payload: { items: [anOrderDraftLine({ pack_size: '' })], isSaved: false },
        },
      },
    ]);
    expect(await countOrders()).toBe(0);
    expect(await readOrder(dataSource, TENANT, id)).toBeNull();
  });

  it('reserves another number for every call', async () => {
    const drafts = await Promise.all([
      saveDraft([anOrderDraftLine()]),
      saveDraft([anOrderDraftLine()]),
      saveDraft([anOrderDraftLine()]),
    ]);
    expect(new Set(drafts.map(({ id }) => id)).size).toBe(3);
  });

  it.each([
    ['an item number that does not exist', anOrderDraftLine({ item_num: 'XXX-9999' }), 'XXX-9999'],
    [
      'an item number that PostgreSQL could not store',
      anOrderDraftLine({ item_num: 'VEG\u0000' }),
      'not in the catalogue',
    ],
    ['no amount', anOrderDraftLine({ quantity: 0 }), 'quantity 0'],
  ])('refuses a ready line with %s, names it and stages nothing (S2-37)', async (_what, wrong, named) => {
    const { result, bake, staged } = await saveDraft([anOrderDraftLine(), wrong]);
    expect(result).toEqual({ status: 'error', result: { message: expect.stringContaining(named) } });
    expect({ bake, staged }).toEqual({});
  });

  it('refuses an item number that only another tenant has', async () => {
    const input = { order_info: [anOrderDraftLine()], customer_name: null };
    const { result } = await callTool(findTool(dataSource, 'save_order_draft'), input, STRANGER);
    expect(result.status).toBe('error');
  });

  it('takes lines that are todo as they are', async () => {
    const open = anOrderDraftLine({
      item_num: '',
      quantity: 0,
      uom: '',
      status: 'todo',
      help_request_message: 'Which item?',
    });
    const { result } = await saveDraft([anOrderDraftLine(), open]);
    expect(result.result.message).toContain('2 lines, 1 of them todo');
  });

  it.each([
    ['a known name', 'Harbor Grill', 'Harbor Grill'],
    ['another spelling of it', 'ＨＡＲＢＯＲ　ＧＲＩＬＬ', 'Harbor Grill'],
    ['the Japanese name', '居酒屋タヌキ', 'Izakaya Tanuki'],
    ['a name that is only near', 'Harbor Gril', null],
    ['an unknown name', 'Nobody Inn', null],
    ['no name', null, null],
    ['an empty name', ' ', null],
  ])('with %s links the customer only when it is certain', async (_what, name, customer) => {
    const { id, change } = await stageDraft([anOrderDraftLine()], name);
    await apply(change);
    const order = await readOrder(dataSource, TENANT, id);
    expect(order?.customer?.name ?? null).toBe(customer);
    expect(order?.customer_name).toBe(name);
  });
});

describe('the staged change order_request.saved', () => {
  it('makes the order visible, its lines with the names of their items', async () => {
    const open = anOrderDraftLine({
      item_num: '',
      quantity: 1,
      status: 'todo',
      help_request_message: 'Which item?',
    });
    const { id, change } = await stageDraft([anOrderDraftLine({ remark: 'ripe' }), open]);
    await apply(change);
    expect(await readOrder(dataSource, TENANT, id)).toEqual({
      id,
      execution_id: EXECUTION,
      status: 'draft',
      customer: { account_number: 4001, name: 'Harbor Grill' },
      customer_name: 'Harbor Grill',
      is_saved: false,
      version: 1,
      sending: null,
      items: [
        { ...anOrderDraftLine({ remark: 'ripe' }), item_name: 'Roma Tomatoes', item_name_ja: 'ローマトマト' },
        { ...open, item_name: null, item_name_ja: null },
      ],
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
    });
  });

  it('applied twice is one row, also at the same time', async () => {
    const { change } = await stageDraft();
    await apply(change);
    await apply(change);
    await Promise.all([apply(change), apply(change)]);
    expect(await countOrders()).toBe(1);
  });

  it('shows nothing when the settling transaction fails (S4-20)', async () => {
    const { change } = await stageDraft();
    const settlement = dataSource.transaction(async (manager) => {
      await catalogue.applyStagedChange(manager, change, settling);
      throw new Error('the lease is lost');
    });
    await expect(settlement).rejects.toThrow('the lease is lost');
    expect(await countOrders()).toBe(0);
  });

  it.each([
    ['execution', { tenantId: TENANT, executionId: OTHER_EXECUTION }],
    ['tenant', { tenantId: STRANGER, executionId: EXECUTION }],
  ])('refuses a number that belongs to another %s', async (_whose, context) => {
    const { change } = await stageDraft();
    await apply(change);
    await expect(apply(change, context)).rejects.toMatchObject({ code: 'ORDER_REQUEST_ID_TAKEN' });
    expect(await countOrders()).toBe(1);
  });

  it('keeps the order when its customer was deleted in between', async () => {
    const [customer] = await dataSource.query<[{ id: number }]>(
      `INSERT INTO order_entry.customer (tenant_id, account_number, name, search_name, search_name_ja)
       VALUES ($1, 9999, 'Closing Cafe', 'closing cafe', '') RETURNING id`,
      [TENANT],
    );
    const { id, change } = await stageDraft([anOrderDraftLine()], 'Closing Cafe');
    expect(change.data['customerId']).toBe(customer.id);
    await dataSource.query('DELETE FROM order_entry.customer WHERE id = $1', [customer.id]);
    await apply(change);
    const order = await readOrder(dataSource, TENANT, id);
    expect(order).toMatchObject({ customer: null, customer_name: 'Closing Cafe' });
  });

  it('stores text that came with characters PostgreSQL refuses', async () => {
    const { id, change } = await stageDraft(
      [anOrderDraftLine({ original_text: 'a\u0000b \ud800' })],
      'Bar\u0000',
    );
    await apply(change);
    const order = await readOrder(dataSource, TENANT, id);
    expect(order?.items[0]?.original_text).toBe('ab \ufffd');
    expect(order?.customer_name).toBe('Bar');
  });
});

describe('get_order_request', () => {
  it('describes an order to the model and bakes the reference (S2-4, S2-17, S2-24)', async () => {
    const { id, change } = await stageDraft();
    await apply(change);
    const { result, bake, staged } = await callTool(findTool(dataSource, 'get_order_request'), {
      order_request_id: id,
    });
    expect(result).toEqual({
      status: 'success',
      result: {
        message: `Order request ${id} of Harbor Grill is a draft:\n1. VEG-1010 Roma Tomatoes: 2 CS`,
        referencedOrderRequestId: id,
      },
    });
    expect({ bake, staged }).toEqual({ bake: { referencedOrderRequestId: id } });
  });

  it.each([
    ['that does not exist', TENANT, 1_000_000],
    ['of another tenant', STRANGER, 0],
  ])('answers an error for an order %s', async (_whose, tenantId, offset) => {
    const { id, change } = await stageDraft();
    await apply(change);
    const tool = findTool(dataSource, 'get_order_request');
    const { result, bake } = await callTool(tool, { order_request_id: id + offset }, tenantId);
    expect(result).toEqual({
      status: 'error',
      result: { message: `There is no order request ${id + offset}.` },
    });
    expect(bake).toBeUndefined();
  });
});
