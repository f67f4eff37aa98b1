import { idSchema } from '#libs/payloads';
import { defineRoute, type DomainDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { showOrderRequest } from '../order-changes/lock-order-request.js';
import { describedOrderRequest, toAnswer } from './order-request.schema.js';

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
  handle: async ({ tenantId, params }, { manager }: DomainDependencies<EntityManager>) =>
    toAnswer(await showOrderRequest(manager, { tenantId, id: params.id })),
});
