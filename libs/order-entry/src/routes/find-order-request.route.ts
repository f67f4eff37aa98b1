import { AppError } from '#libs/kernel';
import { idSchema } from '#libs/payloads';
import { defineRoute, type DomainDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { OrderDraftItemRequestSchema } from '../order-draft/order-draft.schema.js';
import { readOrderRequest } from '../order-requests/read-order-request.js';

const lineSchema = OrderDraftItemRequestSchema.extend({
  pack_size: z.string(),
  item_name: z.string().nullable(),
  item_name_ja: z.string().nullable(),
});

/** An order as an agent drafted it. */
export const orderRequestSchema = z.object({
  id: z.int(),
  execution_id: z.uuid(),
  status: z.enum(['draft']),
  customer: z.object({ account_number: z.int(), name: z.string() }).nullable(),
  customer_name: z.string().nullable(),
  is_saved: z.boolean(),
  items: z.array(lineSchema),
  created_at: z.iso.datetime(),
});

/** What the order-entry agents have saved. */
export const findOrderRequestRoute = defineRoute({
  method: 'GET',
  path: 'order-requests/:id',
  operation: 'OrderRequests_find',
  tag: 'order entry',
  summary: 'Read an order request',
  scope: 'executions:read',
  params: z.object({ id: idSchema }),
  answer: {
    name: 'OrderRequest',
    schema: orderRequestSchema,
    status: 200,
    description: 'The order request with the catalogue’s names.',
  },
  problems: [404],
  handle: async ({ tenantId, params }, { manager }: DomainDependencies<EntityManager>) => {
    const order = await readOrderRequest(manager, tenantId, params.id);
    if (order !== null) return { ...order, items: [...order.items] };
    throw new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Order request not found' });
  },
});
