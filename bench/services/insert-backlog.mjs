// @ts-check
import { insertTenants, TENANT_AGENT } from './insert-tenants.mjs';

/**
 * Inserts queued executions of several tenants, each with its own session, without the API.
 * @param {import('pg').Pool} database
 * @param {{count: number, tenants: number}} backlog
 */
export async function insertBacklog(database, { count, tenants }) {
  if (count === 0) return;
  await insertTenants(database, tenants);
  await database.query(
    `WITH line AS (
       SELECT gen_random_uuid() AS session_id, agent.id AS agent_id, agent.tenant_id
         FROM generate_series(1, $1::int / $2::int), agent WHERE agent.name = '${TENANT_AGENT}'
     ), session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id, next_turn) SELECT session_id, tenant_id, agent_id, 2 FROM line
     )
     INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request)
     SELECT gen_random_uuid(), tenant_id, agent_id, session_id, 1, '{"input": "Hello", "options": {}, "additional_data": {}}'
       FROM line`,
    [count, tenants],
  );
  // Autovacuum would have analysed a backlog that grew over time.
  await database.query('VACUUM ANALYZE chat_session, execution');
}
