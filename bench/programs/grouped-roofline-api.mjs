// @ts-check
// Accepting work with group commit: one statement, one commit and one job for many submits.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { group } from './group.mjs';
import { openQueue } from './roofline-queue.mjs';

const { DATABASE_URL, PORT, ROOFLINE_AGENT_ID } = process.env;
const MAX_SUBMITS = 64;
const EXECUTIONS_OF_A_JOB = 16;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const queue = openQueue();

const ACCEPT = {
  name: 'accept-many',
  text: `WITH asked AS (
           SELECT * FROM jsonb_to_recordset($2::jsonb) AS asked (id uuid, session_id uuid, request jsonb)
         ), session AS (
           INSERT INTO chat_session (id, tenant_id, agent_id, next_turn) SELECT session_id, 'default', $1, 2 FROM asked)
         INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request)
         SELECT id, 'default', $1, session_id, 1, request FROM asked`,
};

/** @type {(request: any) => Promise<string>} */
const accept = group(async (requests) => {
  const rows = requests.map((request) => ({ id: randomUUID(), session_id: randomUUID(), request }));
  await pool.query({ ...ACCEPT, values: [ROOFLINE_AGENT_ID, JSON.stringify(rows)] });
  const ids = rows.map(({ id }) => id);
  // As in the service, adding the job does not delay the answer.
  void queue.addBulk(
    cut(ids).map((some) => ({
      name: 'execute',
      data: { ids: some },
      opts: { removeOnComplete: true, removeOnFail: true },
    })),
  );
  return ids;
}, MAX_SUBMITS);

const server = Fastify();
server.get('/readyz', () => ({ status: 'ok' }));
server.post('/execute', async (request, reply) => reply.status(202).send({ id: await accept(request.body) }));
await server.listen({ host: '127.0.0.1', port: Number(PORT) });
process.once('SIGTERM', () => process.exit(0));

/** @param {readonly string[]} ids */
function cut(ids) {
  return Array.from({ length: Math.ceil(ids.length / EXECUTIONS_OF_A_JOB) }, (_, index) =>
    ids.slice(index * EXECUTIONS_OF_A_JOB, (index + 1) * EXECUTIONS_OF_A_JOB),
  );
}
