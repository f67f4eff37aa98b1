import { idSchema } from '#libs/payloads';
import { defineList } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { listOrderRequests } from '../order-requests/list-order-requests.js';
import { ORDER_REQUEST_EXAMPLE, orderRequestSchema } from './order-request.schema.js';

/** Lists the order requests of a tenant, newest first, without lines. */
export const orderRequestList = defineList({
  path: 'order-requests',
  operation: 'listOrderRequests',
  tag: 'order entry',
  summary: 'List order requests',
  description: 'Newest first, without lines; read an order request for its lines.',
  scope: 'executions:read',
  row: {
    name: 'OrderRequestSummary',
    schema: orderRequestSchema.omit({ items: true }),
    example: ORDER_REQUEST_EXAMPLE,
  },
  key: idSchema,
  keyOf: ({ id }) => id,
  read: (request, { manager }: { readonly manager: EntityManager }) => listOrderRequests(manager, request),
});
