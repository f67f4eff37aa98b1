import { describe, expect, it } from '@jest/globals';
import { anOrderDraftLine } from '../../../support/builders/order-draft-line.js';
import {
  transformToOrderEntryPayload,
  type OrderEntryPayload,
  type OrderEntryPayloadItem,
} from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-entry-payload.ts';
import {
  decideChange,
  type OrderRequestPatch,
} from '../../../../examples/order-entry/capstan/domains/order-entry/order-changes/decide-change.ts';

const KNOWN = new Set(['VEG-1010']);

function aLine(override: Parameters<typeof anOrderDraftLine>[0] = {}): OrderEntryPayloadItem {
  const params = { order_info: [anOrderDraftLine(override)], customer_name: null };
  return transformToOrderEntryPayload(params).items[0] as OrderEntryPayloadItem;
}

const READY = aLine();
const OPEN = aLine({ status: 'todo' });
const DRAFT: OrderEntryPayload = { items: [OPEN], isSaved: false };
const CONFIRMED: OrderEntryPayload = { items: [READY], isSaved: true };

describe('decideChange', () => {
  it.each<[string, OrderEntryPayload, OrderRequestPatch, OrderEntryPayload]>([
    ['lines replace all lines', DRAFT, { items: [READY, OPEN] }, { items: [READY, OPEN], isSaved: false }],
    ['a draft may lose all its lines', DRAFT, { items: [] }, { items: [], isSaved: false }],
    ['ready lines are confirmed with them', DRAFT, { items: [READY], isSaved: true }, CONFIRMED],
    [
      'a confirmed order can be opened again',
      CONFIRMED,
      { isSaved: false },
      { items: [READY], isSaved: false },
    ],
    ['open lines take it back', CONFIRMED, { items: [OPEN], isSaved: false }, DRAFT],
  ])('%s (S2-13)', (_what, before, patch, after) => {
    expect(decideChange(before, patch, KNOWN)).toEqual({ kind: 'changed', payload: after });
  });

  it.each<[string, OrderEntryPayload, OrderRequestPatch]>([
    ['nothing is given', DRAFT, {}],
    ['the same is given', CONFIRMED, { items: [{ ...READY }], isSaved: true }],
  ])('changes nothing where %s', (_what, before, patch) => {
    expect(decideChange(before, patch, KNOWN)).toEqual({ kind: 'unchanged' });
  });

  it.each<[string, OrderEntryPayload, OrderRequestPatch, readonly (string | number)[], string]>([
    ['an open line', DRAFT, { isSaved: true }, ['is_saved'], 'status of line 1 must be "success"'],
    [
      'an open line that is sent',
      DRAFT,
      { items: [READY, OPEN], isSaved: true },
      ['items', 1, 'status'],
      'must be',
    ],
    [
      'an unknown item',
      DRAFT,
      { items: [aLine({ item_num: 'XXX' })], isSaved: true },
      ['items', 0, 'item_num'],
      'catalogue',
    ],
    [
      'no amount',
      DRAFT,
      { items: [aLine({ quantity: 0 })], isSaved: true },
      ['items', 0, 'quantity'],
      'above 0',
    ],
    ['no lines', DRAFT, { items: [], isSaved: true }, ['items'], 'no lines'],
    ['open lines that leave it confirmed', CONFIRMED, { items: [OPEN] }, ['items', 0, 'status'], 'must be'],
  ])('refuses to confirm %s, and names the field (S2-13)', (_what, before, patch, path, detail) => {
    const decision = decideChange(before, patch, KNOWN);
    expect(decision).toEqual({
      kind: 'not_ready',
      faults: [{ path, detail: expect.stringContaining(detail) as unknown }],
    });
  });
});
