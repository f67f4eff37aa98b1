import { z } from 'zod';
import { ORDER_UOMS } from '../order-draft/uom.js';
import type { OrderRequest } from '../entities/order-request.entity.js';

/** The kind of the task that sends an order request. */
export const SEND_ORDER = 'order-entry/send-order';

/** What is sent, frozen when somebody asked for it: every try sends the same. */
export const sendOrderDataSchema = z.strictObject({
  orderRequestId: z.int(),
  url: z.string(),
  idempotencyKey: z.string().min(1).max(255),
  order: z.strictObject({
    order_info: z
      .array(
        z.strictObject({
          item_num: z.string(),
          quantity: z.number(),
          uom: z.enum(ORDER_UOMS),
          remark: z.string().nullable(),
        }),
      )
      .readonly(),
  }),
});
export type SendOrderData = z.infer<typeof sendOrderDataSchema>;

/**
 * One order request, one key, however often it is sent. The execution is part of it: numbers alone come again in another
 * installation, and in a database that was restored.
 */
export function idempotencyKeyOf({ id, executionId }: Pick<OrderRequest, 'id' | 'executionId'>): string {
  return `order-request-${executionId}-${id}`;
}
