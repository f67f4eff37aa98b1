import { describe, expect, it } from '@jest/globals';
import {
  describeOrderRequest,
  outlineOrderRequest,
} from '../../../../examples/order-entry/capstan/domains/order-entry/order-requests/describe-order-request.ts';
import type {
  OrderRequestLineView,
  OrderRequestView,
} from '../../../../examples/order-entry/capstan/domains/order-entry/order-requests/read-order-request.ts';

const line: OrderRequestLineView = {
  item_num: 'VEG-1010',
  item_name: 'Roma Tomatoes',
  item_name_ja: 'ローマトマト',
  quantity: 2,
  pack_size: '25 LB',
  uom: 'CS',
  remark: null,
  original_text: '2 cs roma toms',
  status: 'success',
  help_request_message: null,
  confidence: 'high',
};

const order: OrderRequestView = {
  id: 7,
  execution_id: '0193a000-0000-7000-8000-000000000001',
  status: 'draft',
  customer: { account_number: 4001, name: 'Harbor Grill' },
  customer_name: 'harbor grill',
  is_saved: false,
  version: 1,
  sending: null,
  items: [line],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

const SENT = {
  ...{ tries: 1, order_number: 'SO-1001', sent_at: '2026-01-01T00:00:00.000Z', failure: null },
  is_outcome_unknown: false,
};

it('says in a few words what has become of an order (S2-26)', () => {
  expect(outlineOrderRequest(order)).toBe('a draft, of Harbor Grill, 1 lines, 0 of them open');
  const open = { ...order, is_saved: true, items: [line, { ...line, status: 'todo' as const }] };
  expect(outlineOrderRequest(open)).toBe('confirmed by a person, of Harbor Grill, 2 lines, 1 of them open');
});

describe('describeOrderRequest', () => {
  it('gives the model number, customer, state and lines (S2-20)', () => {
    expect(describeOrderRequest(order)).toBe(
      'Order request 7 of Harbor Grill is a draft:\n1. VEG-1010 Roma Tomatoes: 2 CS',
    );
  });

  it.each<[string, Partial<OrderRequestView>, string]>([
    ['the name as written when the customer is not known', { customer: null }, 'of harbor grill is'],
    [
      'that no customer is named',
      { customer: null, customer_name: null },
      'of a customer who is not named is',
    ],
    ['that a person confirmed it', { is_saved: true }, 'is confirmed by a person'],
    ['that it is on its way', { status: 'sending' }, 'is being sent'],
    ['what it was ordered as', { status: 'sent', sending: SENT }, 'is ordered as SO-1001:'],
    ['that it could not be sent', { status: 'failed' }, 'could not be sent'],
  ])('reports %s', (_what, override, text) => {
    expect(describeOrderRequest({ ...order, ...override })).toContain(text);
  });

  it.each<[string, Partial<OrderRequestLineView>, string]>([
    ['a remark', { remark: 'ripe' }, '2 CS (ripe)'],
    ['an open question', { status: 'todo', help_request_message: 'Which size?' }, '[open: Which size?]'],
    ['the words of a line without an item', { item_num: '', item_name: null }, '1. 2 cs roma toms: 2 CS'],
    ['an amount without a unit', { uom: '' }, 'Roma Tomatoes: 2'],
  ])('reports %s', (_what, override, text) => {
    expect(describeOrderRequest({ ...order, items: [{ ...line, ...override }] })).toContain(text);
  });
});
