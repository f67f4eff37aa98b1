// @ts-check

/**
 * Inserts a completed execution with many calls, as it is stored: two calls in each round, of which every hundredth fails.
 * Its rounds last 2 s, with a pause of an hour in the middle.
 * @param {import('pg').Pool} database
 * @param {{agentId: number, calls: number}} run
 * @returns {Promise<string>} its id
 */
export async function insertLongRun(database, { agentId, calls }) {
  const rounds = calls / 2;
  const { rows } = await database.query(
    `WITH line AS (SELECT uuidv7() AS id, uuidv7() AS session_id, now() - interval '1 day' AS at),
     session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id, next_turn, created_at, updated_at)
       SELECT session_id, 'default', $1, 2, at, at FROM line
     )
     INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, status, request, attempt, epoch,
                            created_at, head_since, started_at, finished_at)
     SELECT id, 'default', $1, session_id, 1, 'completed', '{"input": "Hello", "options": {}, "additional_data": {}}', 1, 1,
            at, at, at, at + ($2::int * 2 + 3600) * interval '1 second'
       FROM line RETURNING id`,
    [agentId, rounds],
  );
  const { id } = rows[0];
  const at = `created_at + (n * 2 + CASE WHEN n > ${rounds / 2} THEN 3600 ELSE 0 END) * interval '1 second'`;
  await database.query(
    `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data, created_at)
     SELECT $1, 5 * (n - 1) + part, 'default', 1, 4,
            (ARRAY['model_call_completed', 'tool_call_started', 'tool_call_started', 'tool_call_settled', 'tool_call_settled'])[part], '',
            CASE part WHEN 1 THEN jsonb_build_object('round', n, 'latencyMs', 800, 'answer', jsonb_build_object(
                             'model', 'm', 'responseId', 'r' || n, 'text', repeat('x', 200), 'usage', NULL,
                             'toolCalls', (SELECT jsonb_agg(jsonb_build_object('callId', 'c' || n || '.' || p, 'toolName', 'look', 'arguments', '{}'))
                                             FROM generate_series(0, 1) p)))
                      ELSE jsonb_build_object('round', n, 'position', part % 2) END,
            ${at} + part * interval '100 milliseconds'
       FROM execution, generate_series(1, $2::int) n, generate_series(1, 5) part WHERE id = $1`,
    [id, rounds],
  );
  await database.query(
    `INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, effect, input, output, status,
                           started_at, finished_at)
     SELECT $1, n, p, 'default', 1, 'c' || n || '.' || p, 'look', 'read', '{"number": 7}', '{"status": "success", "result": {"text": "found"}}',
            CASE WHEN (2 * n + p) % 100 = 0 THEN 'failed' ELSE 'succeeded' END,
            ${at} + interval '200 milliseconds', ${at} + interval '600 milliseconds'
       FROM execution, generate_series(1, $2::int) n, generate_series(0, 1) p WHERE id = $1`,
    [id, rounds],
  );
  await database.query('ANALYZE journal_entry, run_step, execution');
  return id;
}
