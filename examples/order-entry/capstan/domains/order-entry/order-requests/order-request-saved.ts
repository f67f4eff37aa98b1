import { z } from 'zod';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.ts';

/** Kind of the staged change that inserts a drafted order. */
export const ORDER_REQUEST_SAVED = 'order_request.saved';

/** Schema of the staged change, as read from the journal. */
export const orderRequestSavedSchema = z.object({
  id: z.number().int().positive(),
  customerId: z.number().int().positive().nullable(),
  customerName: z.string().nullable(),
  payload: orderEntryPayloadSchema,
});

/** A drafted order with a reserved `id`, inserted when its execution settles. */
export type OrderRequestSaved = z.infer<typeof orderRequestSavedSchema>;
