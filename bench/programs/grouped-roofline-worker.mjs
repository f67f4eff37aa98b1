// @ts-check
// Running executions with group commit: one statement and one commit claim, settle and record many of them.
import { createServer } from 'node:http';
import pg from 'pg';
import { group } from './group.mjs';
import { openWorker } from './roofline-queue.mjs';
import { askModel, CONCURRENCY, deliver, rowsOf } from './roofline-work.mjs';

const { DATABASE_URL, PORT, ROOFLINE_ENDPOINT_ID } = process.env;
const MAX_TOGETHER = 64;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
/** Pool for claims with asynchronous commit, since a claim lost in a crash is repeated. */
const forgetful = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 4,
  options: '-c synchronous_commit=off',
});

const CLAIM = {
  name: 'claim-many',
  text: `UPDATE execution SET status = 'running', attempt = attempt + 1, epoch = epoch + 1, lease_owner = 'roofline',
                lease_expires_at = now() + interval '45 seconds', started_at = now(), deadline_at = now() + interval '300 seconds'
          WHERE id = ANY($1::uuid[]) AND status = 'queued' RETURNING id, session_id, agent_id, request`,
};

const SETTLE = {
  name: 'settle-many',
  text: `WITH done AS (
           SELECT * FROM jsonb_to_recordset($1::jsonb) AS done (id uuid, session_id uuid, agent_id int, response_id text,
                                                                journal jsonb, messages jsonb, delivery_id text, body text)
         ), journal AS (
           INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, kind, data)
           SELECT done.id, sequence, 'default', 1, kind, data
             FROM done, jsonb_to_recordset(done.journal) AS entry (sequence int, kind text, data jsonb)
         ), messages AS (
           INSERT INTO chat_message (tenant_id, session_id, execution_id, turn_number, ordinal, role, content, data)
           SELECT 'default', done.session_id, done.id, 1, ordinal, role, content, '{}'
             FROM done, jsonb_to_recordset(done.messages) AS message (ordinal int, role text, content text)
           RETURNING id, execution_id, role
         ), touched AS (
           UPDATE chat_session SET updated_at = now() FROM done WHERE chat_session.id = done.session_id
         ), usage AS (
           INSERT INTO usage_log (execution_id, round, tenant_id, agent_id, session_id, model, response_id, input_tokens,
                                  output_tokens, total_tokens)
           SELECT id, 1, 'default', agent_id, session_id, 'sim-echo', response_id, 1, 1, 2 FROM done
         ), delivery AS (
           INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, execution_id, type, body)
           SELECT delivery_id, 'default', $2, id, 'execution.completed', body FROM done
         )
         UPDATE execution SET status = 'completed', finished_at = now(), lease_owner = NULL, lease_expires_at = NULL,
                usage = '{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}', result_message_id = messages.id
           FROM done JOIN messages ON messages.execution_id = done.id AND messages.role = 'assistant'
          WHERE execution.id = done.id AND epoch = 1`,
};

const RECORD = {
  name: 'record-many',
  text: `WITH sent AS (
           SELECT * FROM unnest($1::text[], $2::int[]) AS sent (id, status_code)
         ), attempt AS (
           INSERT INTO webhook_attempt (delivery_id, number, tenant_id, status_code, duration_ms)
           SELECT id, 1, 'default', status_code, 1 FROM sent)
         UPDATE webhook_delivery SET status = 'delivered', attempt_count = 1, delivered_at = now()
           FROM sent WHERE webhook_delivery.id = sent.id`,
};

/** @type {(id: string) => Promise<any>} */
const claim = group(async (ids) => {
  const { rows } = await forgetful.query({ ...CLAIM, values: [ids] });
  return ids.map((id) => rows.find((row) => row.id === id));
}, MAX_TOGETHER);

/** @type {(done: any) => Promise<void>} */
const settle = group(async (done) => {
  await pool.query({ ...SETTLE, values: [JSON.stringify(done), ROOFLINE_ENDPOINT_ID] });
  return done.map(() => undefined);
}, MAX_TOGETHER);

/** @type {(sent: {id: string, statusCode: number}) => Promise<void>} */
const record = group(async (sent) => {
  const values = [sent.map(({ id }) => id), sent.map(({ statusCode }) => statusCode)];
  await forgetful.query({ ...RECORD, values });
  return sent.map(() => undefined);
}, MAX_TOGETHER);

let free = CONCURRENCY;
/** @type {(() => void)[]} */
const waiting = [];

// A job ends once its executions have slots.
openWorker(async ({ ids }) => {
  for (const id of ids) {
    if (free === 0) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    else free -= 1;
    void run(id).finally(leavePlace);
  }
}, CONCURRENCY);
const health = createServer((_request, response) => response.end('ok'));
health.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

function leavePlace() {
  const next = waiting.shift();
  if (next === undefined) free += 1;
  else next();
}

/** @param {string} id */
async function run(id) {
  const { session_id, agent_id, request: asked } = await claim(id);
  const answer = await askModel(asked.input);
  const { journal, messages, deliveryId, body } = rowsOf({ id, input: asked.input, answer });
  await settle({
    id,
    session_id,
    agent_id,
    response_id: answer.id,
    journal,
    messages,
    delivery_id: deliveryId,
    body,
  });
  await record({ id: deliveryId, statusCode: await deliver(deliveryId, body) });
}
