import { idSchema } from '#libs/payloads';
import { defineList } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { listOrderRequests } from '../order-requests/list-order-requests.js';
import { orderRequestSchema } from './find-order-request.route.js';

/** The order requests of a tenant, the newest first, without their lines. */
export const orderRequestList = defineList({
  path: 'order-requests',
  operation: 'OrderRequests_list',
  tag: 'order entry',
  summary: 'List order requests, the newest first, without their lines',
  scope: 'executions:read',
  row: { name: 'OrderRequestSummary', schema: orderRequestSchema.omit({ items: true }) },
  key: idSchema,
  keyOf: ({ id }) => id,
  read: (request, { manager }: { readonly manager: EntityManager }) => listOrderRequests(manager, request),
});
