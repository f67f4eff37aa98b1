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

export const ORDER_REQUEST_EXAMPLE: Omit<z.input<typeof orderRequestSchema>, 'items'> = {
  id: 5,
  execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
  status: 'draft',
  customer: { account_number: 1042, name: 'Aoki Grocery' },
  customer_name: 'Aoki Grocery',
  is_saved: true,
  created_at: '2026-11-22T09:00:03.480Z',
};
const LINE: z.input<typeof lineSchema> = {
  item_num: '10231',
  quantity: 5,
  pack_size: '25 LB',
  uom: 'CS',
  remark: null,
  original_text: '5 cases of roma tomatoes',
  status: 'success',
  help_request_message: null,
  confidence: 'high',
  item_name: 'TOMATO ROMA 25#',
  item_name_ja: null,
};

/** What the order-entry agents have saved. */
export const findOrderRequestRoute = defineRoute({
  method: 'GET',
  path: 'order-requests/:id',
  operation: 'getOrderRequest',
  tag: 'order entry',
  summary: 'Read an order request',
  description: 'With its lines, and the names of the items as the catalogue has them.',
  scope: 'executions:read',
  params: z.object({ id: idSchema.describe('The id of the order request.') }),
  answer: {
    name: 'OrderRequest',
    schema: orderRequestSchema,
    example: { ...ORDER_REQUEST_EXAMPLE, items: [LINE] },
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
