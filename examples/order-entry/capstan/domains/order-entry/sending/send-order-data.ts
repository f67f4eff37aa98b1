import { z } from 'zod';
import { ORDER_UOMS } from '../order-draft/uom.ts';
import type { OrderRequest } from '../order-requests/order-request.ts';

/** Task kind that sends an order request. */
export const SEND_ORDER = 'order-entry/send-order';

/** Data of the task, fixed when sending is requested, so that every try sends the same order. */
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
 * The same key for every try of an order request. It includes the execution id, since order request ids recur in other
 * installations and restored databases.
 */
export function idempotencyKeyOf({ id, executionId }: Pick<OrderRequest, 'id' | 'executionId'>): string {
  return `order-request-${executionId}-${id}`;
}
