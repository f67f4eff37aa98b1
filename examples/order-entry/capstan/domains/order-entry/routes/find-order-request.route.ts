import { defineRoute } from 'capstan/kit';
import { z } from 'zod';
import { showOrderRequest } from '../order-changes/lock-order-request.ts';
import { describedOrderRequest, toAnswer } from './order-request.schema.ts';
import { idSchema } from '../values.ts';

/** Reads an order request that an agent has saved. */
export const findOrderRequestRoute = defineRoute({
  method: 'GET',
  path: 'order-requests/:id',
  operation: 'getOrderRequest',
  tag: 'order entry',
  summary: 'Read an order request',
  description: 'Includes its lines, with the item names of the catalogue.',
  scope: 'executions:read',
  params: z.object({ id: idSchema.describe('The id of the order request.') }),
  answer: {
    ...describedOrderRequest,
    status: 200,
    description: 'The order request with the catalogue’s names.',
  },
  versionOf: ({ version }) => version,
  showsMoreThanVersion: true,
  problems: [404],
  handle: async ({ tenantId, params }, { database }) =>
    toAnswer(await showOrderRequest(database, { tenantId, id: params.id })),
});
