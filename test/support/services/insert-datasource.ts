import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** Inserts a datasource of a tenant; returns its id. */
export async function insertDatasource(
  dataSource: Pick<DataSource, 'query'>,
  { tenantId = 'default', name = 'handbook', llmId = 1, embedModel = 'sim-embed', dimensions = 256 } = {},
): Promise<number> {
  const [row] = await dataSource.query<[{ id: number }]>(
    `INSERT INTO datasource (tenant_id, name, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens)
     VALUES ($1, $2, $3, $4, $5, 200, 20) RETURNING id`,
    [tenantId, name, llmId, embedModel, dimensions],
  );
  return row.id;
}

/** Inserts documents that wait for a worker, each changed by an assignment in SQL. */
export async function insertDocuments(
  dataSource: Pick<DataSource, 'query'>,
  changes: readonly string[],
): Promise<void> {
  const datasourceId = await insertDatasource(dataSource, { name: randomUUID() });
  for (const change of changes) {
    const [documentId, id] = [randomUUID(), randomUUID()];
    await dataSource.query(
      `INSERT INTO document (id, tenant_id, datasource_id, title) VALUES ($1, 'default', $2, 'Hours')`,
      [documentId, datasourceId],
    );
    await dataSource.query(
      `INSERT INTO document_ingestion (id, tenant_id, document_id, generation, source, state)
       VALUES ($1, 'default', $2, 1, 'text', 'waiting')`,
      [id, documentId],
    );
    await dataSource.query(`UPDATE document_ingestion SET ${change} WHERE id = $1`, [id]);
  }
}
