import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

const SOME = 10;

/** Keys of some blobs that documents or files of all tenants refer to, oldest ids first. */
export async function findKnownBlobs(dataSource: DataSource): Promise<readonly string[]> {
  const rows = await queryRows<{ blob_key: string }>(
    dataSource,
    `(SELECT blob_key FROM document_ingestion WHERE blob_key IS NOT NULL ORDER BY id LIMIT $1)
     UNION ALL
     (SELECT blob_key FROM file ORDER BY id LIMIT $1)`,
    [SOME],
  );
  return rows.map(({ blob_key }) => blob_key);
}
