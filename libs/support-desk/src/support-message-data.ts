import { z } from 'zod';
import { orderNumberSchema } from './order-number.js';

/** What the front end sends along (S2-22): the model reads it, but for {@link HIDDEN_FROM_MODEL}. */
export const supportInput = {
  /** How the customer has written. */
  supportChannel: z.enum(['email', 'chat', 'phone']),
  /** The order that the customer has on the screen. */
  shownOrderNumber: orderNumberSchema,
  /** The customer's program, for people who look into a complaint. */
  supportUserAgent: z.string().max(500),
};

/** What a refund came to: the shop's receipt, or null where it gave none that can be read. */
export const refundReceiptSchema = z.object({
  orderNumber: z.string(),
  /** In the currency of the order, such as `49.90`. */
  amount: z.string(),
  receipt: z.string().nullable(),
});
export type RefundReceipt = z.infer<typeof refundReceiptSchema>;

/** What tools add to the next answer (S2-23), for the user interface and for the next turn. */
export const supportStored = {
  openedTicketId: z.int(),
  refundReceipt: refundReceiptSchema,
};

export const HIDDEN_FROM_MODEL: readonly (keyof typeof supportInput)[] = ['supportUserAgent'];
