import { z } from 'zod';
import { OrderDraftItemRequestSchema } from './order-draft.schema.js';
import type { SaveOrUpdateOrderDraftParams } from './order-draft.schema.js';

/** A line as stored: the model's line with `pack_size` always text (S2-12). */
const orderEntryPayloadItemSchema = OrderDraftItemRequestSchema.extend({ pack_size: z.string() });

/** What `order_request.payload` holds (S2-13). `isSaved` changes when a person acts; the model never sets it. */
export const orderEntryPayloadSchema = z.object({
  items: z.array(orderEntryPayloadItemSchema),
  isSaved: z.boolean(),
});

export type OrderEntryPayloadItem = z.infer<typeof orderEntryPayloadItemSchema>;
export type OrderEntryPayload = z.infer<typeof orderEntryPayloadSchema>;

/** The model's input as it is stored: null pack sizes become `''`, and nothing counts as saved yet (S2-14). */
export function transformToOrderEntryPayload(params: SaveOrUpdateOrderDraftParams): OrderEntryPayload {
  return {
    items: params.order_info.map((item) => ({ ...item, pack_size: item.pack_size ?? '' })),
    isSaved: false,
  };
}
