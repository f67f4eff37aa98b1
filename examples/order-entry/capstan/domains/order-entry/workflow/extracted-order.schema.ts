import { z } from 'zod';

const nullableText = (most: number) => z.union([z.string().min(1).max(most), z.null()]);
/** Maximum lines of an order, since each costs a call of the search step. */
const MAX_LINES = 64;

/** Output of the step `extract`. Every field is required and null when absent. */
export const extractedOrderSchema = z.object({
  customer_name: nullableText(300).describe('Who orders, as far as it is said; else null.'),
  lines: z
    .array(
      z.object({
        original_text: z.string().describe("The customer's words for this line, unchanged."),
        query: z
          .string()
          .min(1)
          .max(300)
          .describe('The words for the item, or its number, without amount and politeness.'),
        quantity: z.number().describe('How many; 0 when no amount is given.'),
        uom: z.enum(['CS', 'Ea', 'Lbs', '']).describe('Empty when no unit is named.'),
        remark: nullableText(1_000).describe('A wish for this line only; else null.'),
      }),
    )
    .max(MAX_LINES)
    .describe('Every line of the order, in the order of the text; empty when the text is no order.'),
  no_order_reply: nullableText(1_000).describe(
    'When the text is no order: what to answer, in its language. Else null.',
  ),
});
