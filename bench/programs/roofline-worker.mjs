// @ts-check
// The minimum of running an execution: claim, model call, settle, deliver. Each step is one handwritten statement.
import { createServer } from 'node:http';
import pg from 'pg';
import { openWorker } from './roofline-queue.mjs';
import { askModel, CONCURRENCY, deliver, rowsOf } from './roofline-work.mjs';

const { DATABASE_URL, PORT, ROOFLINE_ENDPOINT_ID } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const CLAIM = {
  name: 'claim',
  text: `UPDATE execution SET status = 'running', attempt = attempt + 1, epoch = epoch + 1, lease_owner = 'roofline',
                lease_expires_at = now() + interval '45 seconds', started_at = now(), deadline_at = now() + interval '300 seconds'
          WHERE id = $1 AND status = 'queued' RETURNING session_id, agent_id, request`,
};

// The rows that the service writes, too, in one statement: journal, messages, usage, outcome, webhook.
const SETTLE = {
  name: 'settle',
  text: `WITH journal AS (
           INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, kind, data)
           SELECT $1, sequence, 'default', 1, kind, data
             FROM jsonb_to_recordset($4::jsonb) AS entry (sequence int, kind text, data jsonb)
         ), messages AS (
           INSERT INTO chat_message (tenant_id, session_id, execution_id, turn_number, ordinal, role, content, data)
           SELECT 'default', $2, $1, 1, ordinal, role, content, '{}'
             FROM jsonb_to_recordset($5::jsonb) AS message (ordinal int, role text, content text)
           RETURNING id, role
         ), touched AS (
           UPDATE chat_session SET updated_at = now() WHERE id = $2
         ), usage AS (
           INSERT INTO usage_log (execution_id, round, tenant_id, agent_id, session_id, model, response_id, input_tokens,
                                  output_tokens, total_tokens)
           VALUES ($1, 1, 'default', $3, $2, 'sim-echo', $6, 1, 1, 2)
         ), delivery AS (
           INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, execution_id, type, body)
           VALUES ($7, 'default', $8, $1, 'execution.completed', $9)
         )
         UPDATE execution SET status = 'completed', finished_at = now(), lease_owner = NULL, lease_expires_at = NULL,
                usage = '{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}',
                result_message_id = (SELECT id FROM messages WHERE role = 'assistant')
          WHERE id = $1 AND epoch = 1`,
};

const RECORD = {
  name: 'record',
  text: `WITH attempt AS (
           INSERT INTO webhook_attempt (delivery_id, number, tenant_id, status_code, duration_ms)
           VALUES ($1, 1, 'default', $2, 1))
         UPDATE webhook_delivery SET status = 'delivered', attempt_count = 1, delivered_at = now() WHERE id = $1`,
};

openWorker(run, CONCURRENCY);
const health = createServer((_request, response) => response.end('ok'));
health.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

/** @param {{id: string}} job */
async function run({ id }) {
  const { rows } = await pool.query({ ...CLAIM, values: [id] });
  const [{ session_id: sessionId, agent_id: agentId, request: asked }] = rows;
  const answer = await askModel(asked.input);
  const { journal, messages, deliveryId, body } = rowsOf({ id, input: asked.input, answer });
  const values = [id, sessionId, agentId, JSON.stringify(journal), JSON.stringify(messages), answer.id];
  await pool.query({ ...SETTLE, values: [...values, deliveryId, ROOFLINE_ENDPOINT_ID, body] });
  const statusCode = await deliver(deliveryId, body);
  await pool.query({ ...RECORD, values: [deliveryId, statusCode] });
}
