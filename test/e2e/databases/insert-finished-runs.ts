import type { Client } from 'pg';

/** Rows inserted by one statement. */
const AT_ONCE = 50_000;

/** Inserts completed executions of the last 30 days, each with a session, two messages, a fact and a usage row. */
export async function insertFinished(database: Client, count: number): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE) {
    await database.query(
      `/* insert_finished */
       WITH moment AS (
         SELECT now() - (n::float8 / $2::int) * interval '30 days' AS at
           FROM generate_series($1::int + 1, least($1::int + ${AT_ONCE}, $2::int)) AS n
       ), line AS (
         SELECT uuidv7(at - now()) AS id, uuidv7(at - now()) AS session_id, at FROM moment
       ), session AS (
         INSERT INTO chat_session (id, tenant_id, agent_id, next_turn, created_at, updated_at)
         SELECT session_id, 'default', 1, 2, at, at FROM line
       ), said AS (
         INSERT INTO chat_message (tenant_id, session_id, execution_id, turn_number, ordinal, role, content, data)
         SELECT 'default', session_id, id, 1, ordinal, role, 'Hello', '{}'
           FROM line, (VALUES (0, 'user'), (1, 'assistant')) AS message (ordinal, role)
       ), done AS (
         INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, status, request, attempt, epoch,
                                created_at, started_at, finished_at)
         SELECT id, 'default', 1, session_id, 1, 'completed',
                '{"input": "Hello", "options": {}, "additional_data": {}}', 1, 1, at, at, at + interval '1 second'
           FROM line
         RETURNING id
       )
       INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, kind, data)
       SELECT id, 1, 'default', 1, 'model_call_interrupted', '{}' FROM done`,
      [made, count],
    );
  }
}
