import type { OrderEntryPayloadItem } from './order-entry-payload.js';

type SentItem = Pick<OrderEntryPayloadItem, 'item_num' | 'quantity' | 'uom' | 'remark'>;

/** What an ordering system outside receives (S2-15). */
export interface ToSaveOrderRequestParams {
  readonly order_info: readonly SentItem[];
}

/** Keeps what may leave the house: the customer's words, the status and the notes for reviewers stay (S2-15). */
export function transformToSaveOrderRequest(params: ToSaveOrderRequestParams): ToSaveOrderRequestParams {
  return {
    order_info: params.order_info.map(({ item_num, quantity, uom, remark }) => ({
      item_num,
      quantity,
      uom,
      remark,
    })),
  };
}
