import { idSchema } from '#libs/payloads';
import { defineList } from '#libs/tooling';
import { LessThan, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { ORDER_REQUEST_ACTIONS, OrderRequestChange } from '../entities/order-request-change.entity.js';
import { orderEntryPayloadSchema, type OrderEntryPayload } from '../order-draft/order-entry-payload.js';
import { showOrderRequest } from '../order-changes/lock-order-request.js';

const stateSchema = z
  .object({ is_saved: z.boolean(), items: orderEntryPayloadSchema.shape.items })
  .nullable();

const changeSchema = z.object({
  id: z.int(),
  action: z.enum(ORDER_REQUEST_ACTIONS),
  version: z.int().describe('Version after the change.'),
  key_id: z
    .string()
    .nullable()
    .describe('Public part of the API key; null with `AUTH=off`, and for changes by the service itself.'),
  before: stateSchema.describe('Null if lines and confirmation did not change.'),
  after: stateSchema.describe('Null if lines and confirmation did not change.'),
  created_at: z.iso.datetime(),
});

/** Lists the audit rows of an order request, newest first. */
export const orderRequestChangeList = defineList({
  path: 'order-requests/:id/changes',
  operation: 'listOrderRequestChanges',
  tag: 'order entry',
  summary: 'List the changes of an order request',
  description: 'Newest first: key, time, and the state before and after.',
  scope: 'audit:read',
  params: z.object({ id: idSchema.describe('The id of the order request.') }),
  problems: [404],
  row: {
    name: 'OrderRequestChange',
    schema: changeSchema,
    example: {
      id: 7,
      action: 'send_asked',
      version: 3,
      key_id: '0123456789abcdef',
      before: null,
      after: null,
      created_at: '2026-11-22T09:04:09.880Z',
    },
  },
  key: idSchema,
  keyOf: ({ id }) => id,
  read: async ({ tenantId, params, after, limit }, { manager }: { readonly manager: EntityManager }) => {
    await showOrderRequest(manager, { tenantId, id: params.id });
    const rows = await manager.find(OrderRequestChange, {
      where: { tenantId, orderRequestId: params.id, ...(after !== null && { id: LessThan(after) }) },
      order: { id: 'DESC' },
      take: limit,
    });
    return rows.map((row) => ({
      id: row.id,
      action: row.action,
      version: row.version,
      key_id: row.keyId,
      before: describeState(row.before),
      after: describeState(row.after),
      created_at: row.createdAt.toISOString(),
    }));
  },
});

function describeState(payload: OrderEntryPayload | null): z.infer<typeof stateSchema> {
  return payload === null ? null : { is_saved: payload.isSaved, items: payload.items };
}
