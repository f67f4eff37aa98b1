// @ts-check
// Lower bound of a submit's latency: one route, one insert.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const INSERT = { name: 'insert', text: 'INSERT INTO bare_request (id, body) VALUES ($1, $2)' };

const server = Fastify();
server.get('/readyz', () => ({ status: 'ok' }));
server.post('/', async (request, reply) => {
  const id = randomUUID();
  await pool.query({ ...INSERT, values: [id, JSON.stringify(request.body)] });
  return reply.status(202).send({ id });
});
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.once('SIGTERM', () => process.exit(0));
