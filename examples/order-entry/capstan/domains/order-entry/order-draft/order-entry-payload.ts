import { z } from 'zod';
import { OrderDraftItemRequestSchema } from './order-draft.schema.ts';
import type { SaveOrUpdateOrderDraftParams } from './order-draft.schema.ts';

/** A line as stored: the model's line, with `pack_size` always a text. */
const orderEntryPayloadItemSchema = OrderDraftItemRequestSchema.extend({ pack_size: z.string() });

/** Content of `order_request.payload`. A person sets `isSaved`; the model never does. */
export const orderEntryPayloadSchema = z.object({
  items: z.array(orderEntryPayloadItemSchema),
  isSaved: z.boolean(),
});

export type OrderEntryPayloadItem = z.infer<typeof orderEntryPayloadItemSchema>;
export type OrderEntryPayload = z.infer<typeof orderEntryPayloadSchema>;

/** Converts the model's input for storage: null pack sizes become `''`, and `isSaved` starts as false. */
export function transformToOrderEntryPayload(params: SaveOrUpdateOrderDraftParams): OrderEntryPayload {
  return {
    items: params.order_info.map((item) => ({ ...item, pack_size: item.pack_size ?? '' })),
    isSaved: false,
  };
}
