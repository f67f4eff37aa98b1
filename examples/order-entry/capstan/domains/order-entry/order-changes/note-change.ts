import type { Database } from 'capstan/kit';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.ts';
import type { OrderRequest } from '../order-requests/order-request.ts';

/**
 * `changed`, `send_asked`: actions by API key. `sent`, `send_failed`: results of sending. `found_sent`, `found_not_sent`:
 * outcomes that a person reports after a lost answer.
 */
export const ORDER_REQUEST_ACTIONS = [
  'changed',
  'send_asked',
  'sent',
  'send_failed',
  'found_sent',
  'found_not_sent',
] as const;
export type OrderRequestAction = (typeof ORDER_REQUEST_ACTIONS)[number];

const INSERT_SQL = `
INSERT INTO order_entry.order_request_change (tenant_id, order_request_id, action, version, key_id, before, after)
VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Writes an audit row for an action.
 * @param noted.keyId public id of the API key; null with `AUTH=off`, and for results that the service records
 */
export async function noteChange(
  database: Database,
  order: Pick<OrderRequest, 'id' | 'tenantId'>,
  noted: {
    readonly action: OrderRequestAction;
    readonly version: number;
    readonly keyId: string | null;
    readonly before?: OrderEntryPayload;
    readonly after?: OrderEntryPayload;
  },
): Promise<void> {
  const { action, version, keyId, before, after } = noted;
  const states = [before, after].map((state) => (state === undefined ? null : JSON.stringify(state)));
  await database.query(INSERT_SQL, [order.tenantId, order.id, action, version, keyId, ...states]);
}
