import { defineList } from 'capstan/kit';
import { listOrderRequests } from '../order-requests/list-order-requests.ts';
import { ORDER_REQUEST_EXAMPLE, orderRequestSchema } from './order-request.schema.ts';
import { idSchema } from '../values.ts';

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
  read: (request, { database }) => listOrderRequests(database, request),
});
