import type { OrderDraftItemRequest } from '../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-draft.schema.ts';

/** A line of an order draft that can be saved without changes. */
export function anOrderDraftLine(overrides: Partial<OrderDraftItemRequest> = {}): OrderDraftItemRequest {
  return {
    item_num: 'VEG-1010',
    quantity: 2,
    pack_size: '25 LB',
    uom: 'CS',
    remark: null,
    original_text: '2 cs roma toms',
    status: 'success',
    help_request_message: null,
    confidence: 'high',
    ...overrides,
  };
}
