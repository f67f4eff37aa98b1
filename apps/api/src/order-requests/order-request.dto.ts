import { createZodDto } from '../http/zod-dto.js';
import { z } from 'zod';
import { OrderDraftItemRequestSchema } from '#libs/order-entry';
import { idSchema } from '../http/request-values.js';

export class OrderRequestIdParams extends createZodDto(z.object({ id: idSchema })) {}

const lineSchema = OrderDraftItemRequestSchema.extend({
  pack_size: z.string(),
  item_name: z.string().nullable(),
  item_name_ja: z.string().nullable(),
});

/** An order as an agent drafted it. */
export class OrderRequestDto extends createZodDto(
  z.object({
    id: z.int(),
    execution_id: z.uuid(),
    status: z.enum(['draft']),
    customer: z.object({ account_number: z.int(), name: z.string() }).nullable(),
    customer_name: z.string().nullable(),
    is_saved: z.boolean(),
    items: z.array(lineSchema),
    created_at: z.iso.datetime(),
  }),
) {}
