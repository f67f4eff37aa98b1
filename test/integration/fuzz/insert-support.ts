import type { DataSource } from 'typeorm';

/** Inserts a ticket with an order, one without, and the shop's refund address; returns the tickets' ids. */
export async function insertSupport(
  dataSource: DataSource,
  executionId: string,
  refundsUrl: string,
): Promise<readonly number[]> {
  await dataSource.query(
    `INSERT INTO support_desk.shop (tenant_id, refunds_url, has_token) VALUES ('default', $1, false) ON CONFLICT DO NOTHING`,
    [refundsUrl],
  );
  const rows = await dataSource.query<{ id: number }[]>(
    `INSERT INTO support_desk.ticket (tenant_id, execution_id, subject, order_number)
     SELECT 'default', $1, 'It is broken.', order_number FROM unnest($2::text[]) order_number RETURNING id`,
    [executionId, [null, 'A-1002']],
  );
  return rows.map(({ id }) => id);
}
