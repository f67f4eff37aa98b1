// @ts-check
/**
 * Inserts tenants named `tenant-1` and so on, each with a model configuration and an agent, without the API.
 * @param {import('pg').Pool} database
 * @param {number} count
 */
export async function insertTenants(database, count) {
  await database.query(
    `INSERT INTO tenant (id, name) SELECT 'tenant-' || n, 'tenant-' || n FROM generate_series(1, $1::int) AS n
     ON CONFLICT (id) DO NOTHING`,
    [count],
  );
  await database.query(
    `INSERT INTO llm (tenant_id, name, provider, model)
     SELECT 'tenant-' || n, '${TENANT_AGENT}', 'openai', 'sim-echo' FROM generate_series(1, $1::int) AS n`,
    [count],
  );
  await database.query(
    `INSERT INTO agent (tenant_id, name, usecase_type, llm_id)
     SELECT tenant_id, '${TENANT_AGENT}', 'BASIC_CHAT', id FROM llm WHERE name = '${TENANT_AGENT}'`,
  );
}

/** Name of the agent of each tenant. */
export const TENANT_AGENT = 'of a tenant';
