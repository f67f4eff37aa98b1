import { describe, expect, it } from '@jest/globals';
import type { OrderRequestSaved } from './order-request-saved.js';
import { ORDER_REQUEST_SAVED, parseOrderRequestSaved, stageOrderRequest } from './order-request-saved.js';

const saved: OrderRequestSaved = {
  id: 7,
  customerId: null,
  customerName: 'Harbor Grill',
  payload: { items: [], isSaved: false },
};

describe('the staged change order_request.saved', () => {
  it('comes back from the journal as it went in', () => {
    const change = stageOrderRequest(saved);
    expect(change.kind).toBe(ORDER_REQUEST_SAVED);
    expect(parseOrderRequestSaved({ kind: change.kind, data: structuredClone(change.data) })).toEqual(saved);
  });

  it('holds only text that PostgreSQL can store', () => {
    const change = stageOrderRequest({ ...saved, customerName: 'Harbor\u0000 Grill' });
    expect(change.data).toMatchObject({ customerName: 'Harbor Grill' });
  });

  it.each([
    ['another kind', { kind: 'order_request.deleted', data: { ...saved } }],
    ['no id', { kind: ORDER_REQUEST_SAVED, data: { customerId: null, customerName: null, payload: {} } }],
    [
      'a payload of another shape',
      { kind: ORDER_REQUEST_SAVED, data: { ...saved, payload: { items: 'none' } } },
    ],
  ])('with %s is refused as STAGED_CHANGE_INVALID', (_what, change) => {
    expect(() => parseOrderRequestSaved(change)).toThrow(
      expect.objectContaining({ code: 'STAGED_CHANGE_INVALID' }),
    );
  });
});
