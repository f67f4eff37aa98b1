import { defineList } from 'capstan/kit';
import { z } from 'zod';
import { ORDER_REQUEST_ACTIONS, type OrderRequestAction } from '../order-changes/note-change.ts';
import { orderEntryPayloadSchema, type OrderEntryPayload } from '../order-draft/order-entry-payload.ts';
import { showOrderRequest } from '../order-changes/lock-order-request.ts';
import { idSchema } from '../values.ts';

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

interface ChangeRow {
  readonly id: number;
  readonly action: OrderRequestAction;
  readonly version: number;
  readonly key_id: string | null;
  readonly before: OrderEntryPayload | null;
  readonly after: OrderEntryPayload | null;
  readonly created_at: Date;
}

/** `coalesce` keeps the first page a range of the index; an `OR` would not. */
const PAGE_SQL = `
SELECT id, action, version, key_id, before, after, created_at FROM order_entry.order_request_change
WHERE tenant_id = $1 AND order_request_id = $2 AND id < coalesce($3::bigint, 2147483648) ORDER BY id DESC LIMIT $4`;

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
  read: async ({ tenantId, params, after, limit }, { database }) => {
    await showOrderRequest(database, { tenantId, id: params.id });
    const rows = await database.query<ChangeRow>(PAGE_SQL, [tenantId, params.id, after, limit]);
    return rows.map((row) => ({
      id: row.id,
      action: row.action,
      version: row.version,
      key_id: row.key_id,
      before: describeState(row.before),
      after: describeState(row.after),
      created_at: row.created_at.toISOString(),
    }));
  },
});

function describeState(payload: OrderEntryPayload | null): z.infer<typeof stateSchema> {
  return payload === null ? null : { is_saved: payload.isSaved, items: payload.items };
}
