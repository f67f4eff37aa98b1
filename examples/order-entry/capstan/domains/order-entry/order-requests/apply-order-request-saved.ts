import { defineStagedChange, Refusal, type Database, type SettlingExecution } from 'capstan/kit';
import { orderRequestSavedSchema, type OrderRequestSaved } from './order-request-saved.ts';

/**
 * If the customer was deleted since, only its name is kept: a foreign key error would prevent the execution from settling.
 */
const INSERT_SQL = `
INSERT INTO order_entry.order_request (id, tenant_id, execution_id, customer_id, customer_name, payload, status)
VALUES ($1, $2, $3, (SELECT id FROM order_entry.customer WHERE tenant_id = $2 AND id = $4), $5, $6, 'draft')
ON CONFLICT (id) DO NOTHING RETURNING id`;
const SELECT_SQL = `
SELECT id FROM order_entry.order_request WHERE id = $1 AND tenant_id = $2 AND execution_id = $3`;

/**
 * Inserts a drafted order, in the transaction that settles the execution. Idempotent; an id of another execution is
 * `ORDER_REQUEST_ID_TAKEN`, since skipping it would silently lose an order.
 */
async function applyOrderRequestSaved(
  database: Database,
  { id, customerId, customerName, payload }: OrderRequestSaved,
  { tenantId, executionId }: SettlingExecution,
): Promise<void> {
  const parameters = [id, tenantId, executionId, customerId, customerName, JSON.stringify(payload)];
  const inserted = await database.query(INSERT_SQL, parameters);
  if (inserted.length === 1) return;
  const own = await database.query(SELECT_SQL, [id, tenantId, executionId]);
  if (own.length === 0) throw idTaken(id);
}

/** The staged change of `save_order_draft`. */
export const orderRequestSaved = defineStagedChange({
  data: orderRequestSavedSchema,
  apply: applyOrderRequestSaved,
});

function idTaken(id: number): Refusal {
  return new Refusal('conflict', `order request ${id} belongs to another execution`, {
    code: 'ORDER_REQUEST_ID_TAKEN',
  });
}
