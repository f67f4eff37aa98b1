import type { Database } from 'capstan/kit';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.ts';
import type { SendFaultCode } from '../sending/send-fault.ts';

/**
 * `draft`: written by an agent, waiting for a person. `sending`: a task is sending it. `sent`: the ordering service accepted
 * it. `failed`: sending was given up; it can be sent again.
 */
export const ORDER_REQUEST_STATUSES = ['draft', 'sending', 'sent', 'failed'] as const;
export type OrderRequestStatus = (typeof ORDER_REQUEST_STATUSES)[number];

/** Failure of the last try to send. */
export interface SendFailure {
  readonly code: SendFaultCode;
  /** HTTP status of the answer; null without one. */
  readonly status: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** An order drafted by an agent; the settling transaction of its execution inserts the row. */
export interface OrderRequest {
  readonly id: number;
  readonly tenantId: string;
  readonly executionId: string;
  /** Null unless the name matches exactly one customer. */
  readonly customer: { readonly accountNumber: number; readonly name: string } | null;
  /** Customer name as the order text has it. */
  readonly customerName: string | null;
  readonly payload: OrderEntryPayload;
  readonly status: OrderRequestStatus;
  /** Version number, incremented by each change; the `ETag` contains it. */
  readonly version: number;
  /** Id of the last task to send the order. */
  readonly sendingId: string | null;
  /** Version that a client requested to be sent. */
  readonly sentVersion: number | null;
  /** URL that the order was sent to. */
  readonly sentTo: string | null;
  /** Tries of the current task with a recorded result. */
  readonly tries: number;
  /** True where the ordering service may have the order but no answer confirms it. */
  readonly isOutcomeUnknown: boolean;
  readonly failure: SendFailure | null;
  /** Order number assigned by the ordering service. */
  readonly orderNumber: string | null;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Select of {@link OrderRequest} with the alias `o`, to be followed by a condition. */
export const SELECT_ORDERS = `
SELECT o.id, o.tenant_id AS "tenantId", o.execution_id AS "executionId", o.customer_name AS "customerName", o.payload,
  o.status, o.version, o.sending_id AS "sendingId", o.sent_version AS "sentVersion", o.sent_to AS "sentTo", o.tries,
  o.is_outcome_unknown AS "isOutcomeUnknown", o.failure, o.order_number AS "orderNumber", o.sent_at AS "sentAt",
  o.created_at AS "createdAt", o.updated_at AS "updatedAt",
  CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('accountNumber', c.account_number, 'name', c.name) END AS customer
FROM order_entry.order_request o
LEFT JOIN order_entry.customer c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id`;

/** Columns that change, by field. */
const COLUMNS = {
  payload: 'payload',
  status: 'status',
  version: 'version',
  sendingId: 'sending_id',
  sentVersion: 'sent_version',
  sentTo: 'sent_to',
  tries: 'tries',
  isOutcomeUnknown: 'is_outcome_unknown',
  failure: 'failure',
  orderNumber: 'order_number',
} as const satisfies Partial<Record<keyof OrderRequest, string>>;

type Changes = Partial<Pick<OrderRequest, keyof typeof COLUMNS>>;
const OF_JSON: ReadonlySet<string> = new Set<keyof Changes>(['payload', 'failure']);

/** Changes fields of a locked order request, and its times of the change and of the sending, by the database's clock. */
export async function updateOrderRequest(
  database: Database,
  { id, tenantId }: Pick<OrderRequest, 'id' | 'tenantId'>,
  changes: Changes,
): Promise<void> {
  const fields = Object.keys(changes) as (keyof Changes)[];
  const values = fields.map((field) => toParameter(field, changes[field]));
  const sets = [...fields.map((field, index) => `${COLUMNS[field]} = $${index + 3}`), 'updated_at = now()'];
  if (changes.status === 'sent') sets.push('sent_at = now()');
  await database.query(
    `UPDATE order_entry.order_request SET ${sets.join(', ')} WHERE id = $1 AND tenant_id = $2`,
    [id, tenantId, ...values],
  );
}

function toParameter(field: keyof Changes, value: unknown): unknown {
  return OF_JSON.has(field) && value !== null ? JSON.stringify(value) : value;
}
