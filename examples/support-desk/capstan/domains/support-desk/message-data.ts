import { z } from 'zod';
import { orderNumberSchema } from './order-number.ts';

/** Data that the front end sends with a message; the model reads it, except {@link HIDDEN_FROM_MODEL}. */
export const supportInput = {
  /** Channel of the customer's message. */
  supportChannel: z.enum(['email', 'chat', 'phone']),
  /** Number of the order on the customer's screen. */
  shownOrderNumber: orderNumberSchema,
  /** The customer's browser, for people who investigate a complaint. */
  supportUserAgent: z.string().max(500),
};

/** A paid refund; `receipt` is null if the shop returned none that is readable. */
export const refundReceiptSchema = z.object({
  orderNumber: z.string(),
  /** In the currency of the order, e.g. `49.90`. */
  amount: z.string(),
  receipt: z.string().nullable(),
});
export type RefundReceipt = z.infer<typeof refundReceiptSchema>;

/** Data that tools add to the next message, for the user interface and later turns. */
export const supportStored = {
  openedTicketId: z.int(),
  refundReceipt: refundReceiptSchema,
};

export const HIDDEN_FROM_MODEL: readonly (keyof typeof supportInput)[] = ['supportUserAgent'];
