import { queryRows, type Queryable } from '../sql.js';

/** Whether a generation has been due for so long that a worker should have claimed it. */
export async function isIngestionOverdue(
  manager: Queryable,
  { forMs }: { readonly forMs: number },
): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `SELECT 1 FROM document_ingestion
      WHERE finished_at IS NULL AND due_at < now() - $1 * interval '1 millisecond'
        AND (lease_expires_at IS NULL OR lease_expires_at < now() - $1 * interval '1 millisecond')
        AND dispatched_at < now() - $1 * interval '1 millisecond' LIMIT 1`,
    [forMs],
  );
  return rows.length > 0;
}
