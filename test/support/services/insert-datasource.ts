import type { DataSource } from 'typeorm';

/** A datasource of a tenant, by its name; answers its id. */
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
