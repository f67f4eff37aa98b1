import { z } from 'zod';
import { orderEntryPayloadSchema } from '../order-draft/order-entry-payload.js';

/** The kind of the staged change by which a drafted order becomes visible. */
export const ORDER_REQUEST_SAVED = 'order_request.saved';

/** As it comes back from the journal. */
export const orderRequestSavedSchema = z.object({
  id: z.number().int().positive(),
  customerId: z.number().int().positive().nullable(),
  customerName: z.string().nullable(),
  payload: orderEntryPayloadSchema,
});

/** A drafted order that waits for its execution to settle; `id` is already reserved. */
export type OrderRequestSaved = z.infer<typeof orderRequestSavedSchema>;
