// @ts-check
import { TENANT_AGENT } from './insert-tenants.mjs';

/** Executions inserted by one statement, about. */
const AT_ONCE = 50_000;

/**
 * Inserts sessions of all tenants of `insertTenants`, each with the same number of completed executions and their messages,
 * spread over the last 30 days.
 * @param {import('pg').Pool} database
 * @param {{sessions: number, runsOfSession: number}} history
 */
export async function insertHistory(database, { sessions, runsOfSession }) {
  const step = Math.max(1, Math.floor(AT_ONCE / runsOfSession));
  for (let made = 0; made < sessions; made += step) {
    await database.query(
      `WITH owner AS (
         SELECT tenant_id, id AS agent_id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS all_of_them
           FROM agent WHERE name = '${TENANT_AGENT}'
       ), line AS (
         SELECT gen_random_uuid() AS session_id, owner.tenant_id, owner.agent_id,
                now() - (n::float8 / $2::int) * interval '30 days' AS at
           FROM generate_series($1::int + 1, least($1::int + ${step}, $2::int)) AS n
           JOIN owner ON owner.place = n % owner.all_of_them
       ), session AS (
         INSERT INTO chat_session (id, tenant_id, agent_id, next_turn, created_at, updated_at)
         SELECT session_id, tenant_id, agent_id, $3::int + 1, at, at FROM line
       ), run AS (
         SELECT uuidv7(at - now()) AS id, line.*, turn FROM line, generate_series(1, $3::int) AS turn
       ), said AS (
         INSERT INTO chat_message (tenant_id, session_id, execution_id, turn_number, ordinal, role, content, data)
         SELECT tenant_id, session_id, id, turn, ordinal, role, 'Hello', '{}'
           FROM run, (VALUES (0, 'user'), (1, 'assistant')) AS message (ordinal, role)
       )
       INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, status, request, attempt, epoch,
                              created_at, started_at, finished_at)
       SELECT id, tenant_id, agent_id, session_id, turn, 'completed', '{"input": "Hello", "options": {}, "additional_data": {}}',
              1, 1, at, at, at + interval '1 second'
         FROM run`,
      [made, sessions, runsOfSession],
    );
  }
  // Autovacuum would have analysed rows that accumulated over a month.
  await database.query('VACUUM ANALYZE chat_session, chat_message, execution');
}
