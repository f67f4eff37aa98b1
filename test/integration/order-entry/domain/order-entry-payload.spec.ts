import { describe, expect, it } from '@jest/globals';
import { anOrderDraftLine } from '../../../support/builders/order-draft-line.js';
import {
  OrderDraftItemRequestSchema,
  type OrderDraftItemRequest,
} from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-draft.schema.ts';
import { findUnusableLines } from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/find-unusable-lines.ts';
import {
  orderEntryPayloadSchema,
  transformToOrderEntryPayload,
} from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-entry-payload.ts';
import { transformToSaveOrderRequest } from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/save-order-request.ts';

const params = (...order_info: OrderDraftItemRequest[]) => ({ order_info, customer_name: 'Harbor Grill' });

describe('transformToOrderEntryPayload', () => {
  it.each([
    ['null becomes empty text', null, ''],
    ['text stays', '25 LB', '25 LB'],
    ['empty text stays', '', ''],
  ])('pack_size: %s (S2-3, S2-14)', (_what, given, stored) => {
    const { items } = transformToOrderEntryPayload(params(anOrderDraftLine({ pack_size: given })));
    expect(items[0]?.pack_size).toBe(stored);
  });

  it('leaves every other field as it is, in the order of the lines (S2-14)', () => {
    const lines = [
      anOrderDraftLine({ remark: 'ripe', status: 'todo' }),
      anOrderDraftLine({ item_num: '', confidence: 'low' }),
    ];
    expect(transformToOrderEntryPayload(params(...lines)).items).toEqual(lines);
  });

  it('never counts as saved: only a person changes that (S2-13, S2-14)', () => {
    expect(transformToOrderEntryPayload(params(anOrderDraftLine())).isSaved).toBe(false);
  });

  it('gives what the stored schema accepts, which is not what the model writes (S2-2, S2-12)', () => {
    const payload = transformToOrderEntryPayload(params(anOrderDraftLine({ pack_size: null })));
    expect(orderEntryPayloadSchema.parse(payload)).toEqual(payload);
    expect(OrderDraftItemRequestSchema.safeParse(anOrderDraftLine({ pack_size: null })).success).toBe(true);
    const withNull = { items: [anOrderDraftLine({ pack_size: null })], isSaved: false };
    expect(orderEntryPayloadSchema.safeParse(withNull).success).toBe(false);
  });

  it('does not change its input', () => {
    const given = params(anOrderDraftLine({ pack_size: null }));
    const before = structuredClone(given);
    transformToOrderEntryPayload(given);
    expect(given).toEqual(before);
  });
});

describe('transformToSaveOrderRequest', () => {
  it('sends item number, quantity, unit and remark and nothing else (S2-15)', () => {
    const { items } = transformToOrderEntryPayload(
      params(anOrderDraftLine({ remark: 'ripe' }), anOrderDraftLine({ uom: '', quantity: 0.5 })),
    );
    expect(transformToSaveOrderRequest({ order_info: items })).toEqual({
      order_info: [
        { item_num: 'VEG-1010', quantity: 2, uom: 'CS', remark: 'ripe' },
        { item_num: 'VEG-1010', quantity: 0.5, uom: '', remark: null },
      ],
    });
  });
});

describe('findUnusableLines', () => {
  const known = new Set(['VEG-1010']);

  it.each([
    ['a known item', anOrderDraftLine()],
    ['an unknown item that is todo', anOrderDraftLine({ item_num: 'XXX-9999', status: 'todo' })],
    ['a todo line without item or amount', anOrderDraftLine({ item_num: '', quantity: 0, status: 'todo' })],
  ])('accepts %s', (_what, given) => expect(findUnusableLines(params(given), known)).toEqual([]));

  it.each([
    ['an unknown item', anOrderDraftLine({ item_num: 'XXX-9999' }), '"XXX-9999"'],
    ['an empty item number', anOrderDraftLine({ item_num: '' }), '""'],
    ['another spelling of a known item number', anOrderDraftLine({ item_num: 'veg-1010' }), '"veg-1010"'],
    ['no amount', anOrderDraftLine({ quantity: 0 }), 'quantity 0'],
    ['a negative amount', anOrderDraftLine({ quantity: -1 }), 'quantity -1'],
  ])('names line and value of %s that claims to be ready', (_what, given, value) => {
    const found = findUnusableLines(params(anOrderDraftLine(), given), known);
    expect(found).toEqual([
      { line: 2, reason: expect.stringContaining(value), advice: expect.stringMatching(/ or mark it todo$/) },
    ]);
  });
});
