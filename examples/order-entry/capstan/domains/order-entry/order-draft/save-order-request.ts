import type { OrderEntryPayloadItem } from './order-entry-payload.ts';

type SentItem = Pick<OrderEntryPayloadItem, 'item_num' | 'quantity' | 'uom' | 'remark'>;

/** Order as sent to an external ordering system. */
export interface ToSaveOrderRequestParams {
  readonly order_info: readonly SentItem[];
}

/** Removes internal fields: the customer's wording, the status, and notes for reviewers. */
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
