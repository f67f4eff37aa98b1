import { z } from 'zod';
import { ORDER_UOMS } from './uom.ts';

const nullableText = z.union([z.string(), z.null()]);

/** A line in the model's input. Every field is required and null when absent. */
export const OrderDraftItemRequestSchema = z.object({
  item_num: z
    .string()
    .describe('The item number exactly as search_items returned it; an empty string when no item was found.'),
  quantity: z.number().describe('How many; 0 when the customer gave no amount.'),
  pack_size: nullableText.describe('The pack size of the item, or null when it is not known.'),
  uom: z
    .enum(ORDER_UOMS)
    .describe('CS = cases, Ea = single pieces, Lbs = pounds, empty when the customer named no unit.'),
  remark: nullableText.describe('A wish of the customer for this line, e.g. "ripe please", or null.'),
  original_text: z.string().describe("The customer's words for this line, unchanged."),
  status: z.enum(['success', 'todo']).describe('success: ready to order. todo: a person has to look at it.'),
  help_request_message: nullableText.describe('For todo: what the person should decide. For success: null.'),
  confidence: z.enum(['high', 'medium', 'low']),
});

/** Input of `save_order_draft`. */
export const SaveOrUpdateOrderDraftParamsSchema = z.object({
  order_info: z
    .array(OrderDraftItemRequestSchema)
    .min(1)
    .max(500)
    .describe('All lines, in the order of the text.'),
  customer_name: nullableText.describe(
    'Who orders, as search_customers returned it or else as written; or null.',
  ),
});

export type OrderDraftItemRequest = z.infer<typeof OrderDraftItemRequestSchema>;
export type SaveOrUpdateOrderDraftParams = z.infer<typeof SaveOrUpdateOrderDraftParamsSchema>;
