// @ts-check
// The minimum of accepting work: one route, one statement, one job.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { openQueue } from './roofline-queue.mjs';

const { DATABASE_URL, PORT, ROOFLINE_AGENT_ID } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const queue = openQueue();

const ACCEPT = {
  name: 'accept',
  text: `WITH session AS (
           INSERT INTO chat_session (id, tenant_id, agent_id, next_turn) VALUES ($2, 'default', $3, 2) RETURNING id)
         INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request)
         SELECT $1, 'default', $3, id, 1, $4 FROM session`,
};

const server = Fastify();
server.get('/readyz', () => ({ status: 'ok' }));
server.post('/execute', async (request, reply) => {
  const id = randomUUID();
  await pool.query({
    ...ACCEPT,
    values: [id, randomUUID(), ROOFLINE_AGENT_ID, JSON.stringify(request.body)],
  });
  // As in the service, adding the job does not delay the answer.
  void queue.add('execute', { id }, { removeOnComplete: true, removeOnFail: true });
  return reply.status(202).send({ id });
});
await server.listen({ host: '127.0.0.1', port: Number(PORT) });
process.once('SIGTERM', () => process.exit(0));
