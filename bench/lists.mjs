// npm run bench:lists -- [--rows N]: reads a page of every list with every filter, in a database with many rows.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import getPort from 'get-port';
import {
  createDataSource,
  ExecutionStore,
  migrateDatabase,
  SessionStore,
  WebhookDeliveryLogStore,
} from '#libs/persistence';
import { startEmbeddedPostgres } from '../scripts/postgres/server.ts';
import { median } from './measure/median.mjs';
import { printTable } from './report.mjs';

const TENANT = 'big';
const LIMIT = 20;
const ROUNDS = 7;
const BUSY_SESSION = '01900000-0000-7000-8000-000000000001';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
const home = mkdtempSync(join(tmpdir(), 'capstan-lists-'));
// The server may run under another account, which must pass through this folder.
chmodSync(home, 0o755);
const server = await startEmbeddedPostgres({
  home,
  preferredPort: await getPort({ host: '127.0.0.1' }),
  settings: { fsync: 'off', autovacuum: 'off', max_wal_size: '4GB', shared_buffers: '512MB' },
});
try {
  await migrateDatabase({ url: server.url }, async () => undefined);
  const dataSource = await createDataSource({ url: server.url, isPreparing: true }).initialize();
  try {
    await fill(dataSource);
    printTable(`A page of ${LIMIT} among ${rows} rows, milliseconds (median)`, await measure(dataSource));
  } finally {
    await dataSource.destroy();
  }
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}

/**
 * One tenant owns nine of ten rows. Its agent 1 has half of them, none failed; agent 3 has 50, agent 9 none. No row is
 * exhausted, archived or cancelled.
 * @param {import('typeorm').DataSource} dataSource
 */
async function fill(dataSource) {
  const id = (/** @type {string} */ start) =>
    `('${start}' || lpad(to_hex(n), 8, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid`;
  const madeAt = `to_timestamp(('x0000' || left(replace(%s::text, '-', ''), 12))::bit(64)::bigint / 1000.0)`;
  const tenant = `CASE WHEN n % 10 = 0 THEN 'other' ELSE '${TENANT}' END`;
  const agent = `CASE WHEN n % ${Math.max(20, Math.floor(rows / 50))} = 1 THEN 3 WHEN n % 2 = 0 THEN 1 ELSE 2 END`;
  const session = `CASE WHEN n % 1000 = 7 THEN '${BUSY_SESSION}'::uuid ELSE ${id('0190')} END`;
  const at = madeAt.replace('%s', id('0190'));
  // Without foreign keys and triggers, which would need a single connection for the whole load.
  const runner = dataSource.createQueryRunner();
  for (const statement of [
    `SET session_replication_role = replica`,
    `INSERT INTO chat_session (id, tenant_id, agent_id, next_turn, created_at)
       SELECT ${id('0190')}, ${tenant}, ${agent}, 2, ${at} FROM generate_series(1, ${rows}) n`,
    `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status, metadata, created_at, finished_at)
       SELECT ${id('0190')}, ${tenant}, ${agent}, ${session}, n, '{}',
              CASE WHEN n % 2 = 1 AND n % 50 = 3 THEN 'failed' ELSE 'completed' END,
              CASE WHEN n % 20 = 1 THEN jsonb_build_object('order', n::text, 'source', 'mail') ELSE '{}' END, ${at}, ${at}
         FROM generate_series(1, ${rows}) n`,
    `INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, receiver, execution_id, type, body, status, attempt_count, created_at)
       SELECT 'evt_' || ${id('0190')}, ${tenant}, CASE WHEN n % 2 = 0 THEN 1 ELSE 2 END, 'endpoint:1', ${id('0190')},
              'execution.completed', '{}', 'delivered', 1, ${at}
         FROM generate_series(1, ${rows}) n`,
    `INSERT INTO chat_message (tenant_id, session_id, turn_number, ordinal, role, content)
       SELECT '${TENANT}', '${BUSY_SESSION}', n / 2, n % 2, 'user', 'hello' FROM generate_series(2, ${rows / 10}) n`,
    `SET session_replication_role = origin`,
    `VACUUM ANALYZE`,
  ])
    await runner.query(statement);
  await runner.release();
}

/** @param {import('typeorm').DataSource} dataSource */
async function measure(dataSource) {
  const executions = new ExecutionStore(dataSource);
  const sessions = new SessionStore(dataSource);
  const deliveries = new WebhookDeliveryLogStore(dataSource);
  const early = new Date('2024-07-01T00:00:00Z');
  const [first] = await dataSource.query(
    `SELECT min(created_at) AS at, max(created_at) AS last FROM execution`,
  );
  const dayLater = new Date(first.at.getTime() + 3_600_000);
  const ranges = {
    'range in the past': { from: first.at, to: dayLater },
    'range before all': { from: new Date('2020-01-01'), to: new Date('2020-02-01') },
    'range after all': { from: new Date(Math.max(first.last.getTime(), early.getTime()) + 86_400_000) },
  };
  const none = '01910000-0000-7000-8000-00000000ffff';
  const cases = {
    executions: {
      'no filter': {},
      'status, many': { statuses: ['completed'] },
      'status, few': { statuses: ['failed'] },
      'status, none': { statuses: ['cancelled'] },
      'status, none waits': { statuses: ['queued', 'running', 'requires_action'] },
      'status, several': { statuses: ['failed', 'cancelled', 'incomplete', 'queued'] },
      'agent, many': { agentId: 1 },
      'agent, few': { agentId: 3 },
      'agent, none': { agentId: 9 },
      'agent and status, none': { agentId: 1, statuses: ['failed'] },
      'session, many': { sessionId: BUSY_SESSION },
      'session, none': { sessionId: none },
      'metadata, one': { metadata: { order: '41' } },
      'metadata, many': { metadata: { source: 'mail' } },
      'metadata, none': { metadata: { order: 'x' } },
      'agent, none, range': { agentId: 9, ...ranges['range in the past'] },
      'status, none, range': { statuses: ['failed'], ...ranges['range before all'] },
      ...ranges,
    },
    sessions: {
      'no filter': { isArchived: false },
      'archived, none': { isArchived: true },
      'agent, many': { isArchived: false, agentId: 1 },
      'agent, few': { isArchived: false, agentId: 3 },
      'agent, none': { isArchived: false, agentId: 9 },
      'agent and archived, none': { isArchived: true, agentId: 1 },
      ...Object.fromEntries(
        Object.entries(ranges).map(([name, range]) => [name, { isArchived: false, ...range }]),
      ),
    },
    deliveries: {
      'no filter': {},
      'status, many': { statuses: ['delivered'] },
      'status, none': { statuses: ['exhausted'] },
      'status, none waits': { statuses: ['pending'] },
      'status, several': { statuses: ['pending', 'exhausted'] },
      'endpoint, many': { endpointId: 1 },
      'endpoint, none': { endpointId: 9 },
      'endpoint and status, none': { endpointId: 1, statuses: ['exhausted'] },
      'execution, none': { executionId: none },
      ...ranges,
    },
  };
  const lists = {
    executions: executions.list.bind(executions),
    sessions: sessions.list.bind(sessions),
    deliveries: deliveries.list.bind(deliveries),
  };
  const table = [];
  for (const [list, filters] of Object.entries(cases)) {
    for (const [name, filter] of Object.entries(filters)) {
      const row = { list, filter: name };
      for (const isOldestFirst of [false, true]) {
        const page = { limit: LIMIT, isOldestFirst, ...filter };
        const { ms, found } = await time(() => lists[list](TENANT, page));
        Object.assign(row, { found, [isOldestFirst ? 'oldest first' : 'newest first']: ms });
      }
      table.push(row);
    }
  }
  const message = { limit: LIMIT };
  const { ms, found } = await time(() => sessions.listMessages(TENANT, BUSY_SESSION, message));
  table.push({ list: 'messages', filter: 'one long session', found, 'oldest first': ms });
  return table;
}

/** @param {() => Promise<{rows: readonly unknown[]}>} read */
async function time(read) {
  const { rows: found } = await read();
  const taken = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await read();
    taken.push(performance.now() - begun);
  }
  return { ms: Math.round(median(taken) * 10) / 10, found: found.length };
}
