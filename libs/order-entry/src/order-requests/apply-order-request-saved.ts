import { AppError } from '#libs/kernel';
import { defineStagedChange, type SettlingExecution } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { OrderRequest } from '../entities/order-request.entity.js';
import { orderRequestSavedSchema, type OrderRequestSaved } from './order-request-saved.js';

/**
 * If the customer was deleted since, only its name is kept: a foreign key error would prevent the execution from settling.
 */
const INSERT_SQL = `
INSERT INTO order_request (id, tenant_id, execution_id, customer_id, customer_name, payload, status)
VALUES ($1, $2, $3, (SELECT id FROM customer WHERE tenant_id = $2 AND id = $4), $5, $6, 'draft')
ON CONFLICT (id) DO NOTHING RETURNING id`;

/**
 * Inserts a drafted order, in the transaction that settles the execution (S4-20). Idempotent; an id of another execution is
 * `ORDER_REQUEST_ID_TAKEN`, since skipping it would silently lose an order.
 */
async function applyOrderRequestSaved(
  manager: EntityManager,
  { id, customerId, customerName, payload }: OrderRequestSaved,
  { tenantId, executionId }: SettlingExecution,
): Promise<void> {
  const parameters = [id, tenantId, executionId, customerId, customerName, JSON.stringify(payload)];
  const inserted: unknown = await manager.query(INSERT_SQL, parameters);
  if (Array.isArray(inserted) && inserted.length === 1) return;
  const isOurs = await manager.existsBy(OrderRequest, { id, tenantId, executionId });
  if (!isOurs) throw idTaken(id);
}

/** The staged change of `save_order_draft`. */
export const orderRequestSaved = defineStagedChange({
  data: orderRequestSavedSchema,
  apply: applyOrderRequestSaved,
});

function idTaken(id: number): AppError {
  return new AppError({
    code: 'ORDER_REQUEST_ID_TAKEN',
    kind: 'conflict',
    message: `order request ${id} belongs to another execution`,
    details: { orderRequestId: id },
  });
}
