import type { DataSource } from 'typeorm';
import { anOrderDraftLine } from '../../support/builders/order-draft-line.js';

const READY_LINE = { ...anOrderDraftLine(), pack_size: '25 LB' };

/**
 * Inserts a draft without lines, a confirmed order and an order with unknown outcome, with the ordering service and the
 * catalogue item that they need. Returns the ids of the three orders.
 */
export async function insertOrders(
  dataSource: DataSource,
  executionId: string,
  orderingUrl: string,
): Promise<readonly number[]> {
  await dataSource.query(
    `INSERT INTO order_entry.ordering_service (tenant_id, url, has_token) VALUES ('default', $1, false) ON CONFLICT DO NOTHING`,
    [orderingUrl],
  );
  await dataSource.query(
    `INSERT INTO order_entry.catalogue_item (tenant_id, item_num, name, name_ja, pack_size, uom, search_code, search_name,
                                 search_name_ja, search_pack)
     VALUES ('default', $1, 'Roma', 'Roma', '25 LB', 'CS', 'x', 'roma', 'roma', '25 lb') ON CONFLICT DO NOTHING`,
    [READY_LINE.item_num],
  );
  const rows = await dataSource.query<{ id: number }[]>(
    `INSERT INTO order_entry.order_request (tenant_id, execution_id, customer_name, payload)
     SELECT 'default', $1, 'Aoki', payload FROM unnest($2::jsonb[]) payload RETURNING id`,
    [executionId, [[], [READY_LINE]].map((items) => JSON.stringify({ isSaved: items.length > 0, items }))],
  );
  const unknown = await dataSource.query<{ id: number }[]>(
    `INSERT INTO order_entry.order_request (tenant_id, execution_id, payload, status, is_outcome_unknown, sending_id, sent_to)
     VALUES ('default', $1, $2, 'failed', true, gen_random_uuid(), $3) RETURNING id`,
    [executionId, JSON.stringify({ isSaved: true, items: [READY_LINE] }), orderingUrl],
  );
  return [...rows, ...unknown].map(({ id }) => id);
}
