import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listDeliveriesQuery, listSessionsQuery, type SessionFilter } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';

const DAYS = 8;
const STATUSES = ['delivered', 'exhausted', 'pending'] as const;

let database: TestDatabase;
let api: RunningApi;

/** Inserts a session and a delivery a day; the last group of their ids is the number of the day. */
beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  for (let day = 1; day <= DAYS; day += 1) {
    const at = new Date(Date.UTC(2026, 0, day, 12));
    const time = at.getTime().toString(16).padStart(12, '0');
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(day).padStart(12, '0')}`;
    await api.dataSource.query(
      `INSERT INTO chat_session (id, tenant_id, agent_id, is_active, created_at) VALUES ($1, 'default', 1, $2, $3)`,
      [id, day % 4 !== 0, at],
    );
    await api.dataSource.query(
      `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, created_at)
       VALUES ($1, 'default', 1, $1, 1, $3, $2)`,
      [id, at, { executor: { user_id: day < 5 ? 'mara' : 'leo' } }],
    );
    await api.dataSource.query(
      `INSERT INTO webhook_delivery (id, tenant_id, execution_id, type, body, status, created_at)
       VALUES ('evt_' || $1::text, 'default', $2, 'execution.completed', '{}', $3, $4)`,
      [id, id, STATUSES[day % STATUSES.length], at],
    );
    await api.dataSource.query(
      `INSERT INTO execution_webhook (execution_id, tenant_id, url, receiver, events)
       VALUES ($1, 'default', 'https://example.com/', 'https://example.com', '{execution.completed}')`,
      [id],
    );
  }
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

async function daysOf(path: string, query: string): Promise<number[]> {
  const { status, body, text } = await ask(api.url, `/api/${path}/?${query}`);
  expect([status, text]).toEqual([200, expect.anything()]);
  const rows = body.data as { readonly id?: string; readonly uuid?: string }[];
  return rows.map(({ id, uuid }) => Number((id ?? uuid ?? '').slice(-12)));
}

describe('lists filtered by time', () => {
  it.each<[string, string, number[]]>([
    ['sessions', '', [7, 6, 5, 3, 2, 1]],
    ['sessions', 'sort=created_at', [1, 2, 3, 5, 6, 7]],
    ['sessions', 'archived=true&sort=created_at', [4, 8]],
    ['sessions', 'executor_id=mara', [3, 2, 1]],
    ['sessions', 'executor_id=leo&agent_id=1&from=2026-01-06', [7, 6]],
    ['sessions', 'executor_id=none', []],
    ['sessions', 'agent_id=1&from=2026-01-05&to=2026-01-07', [6, 5]],
    ['sessions', 'agent_id=2', []],
    ['sessions', 'to=2026-01-02T12:00:00Z', [1]],
    ['sessions', 'from=2027-01-01', []],
    ['webhook-deliveries', '', [8, 7, 6, 5, 4, 3, 2, 1]],
    ['webhook-deliveries', 'sort=created_at&status=exhausted', [1, 4, 7]],
    ['webhook-deliveries', 'status=exhausted,pending', [8, 7, 5, 4, 2, 1]],
    ['webhook-deliveries', 'status=pending&from=2026-01-03T12:00:00Z&to=2026-01-08', [5]],
    ['webhook-deliveries', 'from=2026-01-07', [8, 7]],
    ['webhook-deliveries', 'endpoint_id=1', []],
  ])('%s by %j', async (path, query, days) => expect(await daysOf(path, query)).toEqual(days));

  it.each([
    ['sessions', 'sort=created_at'],
    ['sessions', 'from=2026-01-02'],
    ['webhook-deliveries', 'sort=created_at&status=exhausted,pending,delivered'],
    ['webhook-deliveries', 'status=delivered,exhausted'],
  ])('%s in pages that leave nothing out, by %j', async (path, query) => {
    const whole = await daysOf(path, query);
    const found: number[] = [];
    let cursor = '';
    do {
      found.push(...(await daysOf(path, `limit=2&${query}${cursor}`)));
      const { body } = await ask(api.url, `/api/${path}/?limit=2&${query}${cursor}`);
      cursor = body.has_more === true ? `&cursor=${String(body.next_cursor)}` : '';
    } while (cursor !== '');
    expect(found).toEqual(whole);
  });

  it.each<[string, string, string, string]>([
    ['sessions', 'sort=title', 'sort', 'must be one of -created_at, created_at'],
    ['sessions', 'from=yesterday', 'from', 'must be a day (2026-11-22, from 00:00 UTC)'],
    ['webhook-deliveries', 'to=1', 'to', 'must be a day (2026-11-22, from 00:00 UTC)'],
    [
      'webhook-deliveries',
      'status=failed',
      'status',
      'must be one of pending, delivered, exhausted, or several with commas between',
    ],
  ])('%s not by %s, which says what is allowed', async (path, query, parameter, detail) => {
    const { status, body } = await ask(api.url, `/api/${path}/?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ parameter, detail: expect.stringContaining(detail) }]);
  });
});

describe('the plan of a list', () => {
  const page = { limit: 20, isOldestFirst: false };
  const active = { ...page, isArchived: false };
  const sessions = (filter: SessionFilter) => () => listSessionsQuery(api.dataSource, 'default', filter);
  const deliveries = (filter: Parameters<typeof listDeliveriesQuery>[1]) => () =>
    listDeliveriesQuery('default', filter);
  it.each([
    ['sessions', sessions(active), 'chat_session_active_idx'],
    ['archived sessions', sessions({ ...page, isArchived: true }), 'chat_session_archived_idx'],
    [
      'sessions of an agent that has none',
      sessions({ ...active, agentId: 7 }),
      'chat_session_agent_active_idx',
    ],
    [
      'archived sessions of an agent',
      sessions({ ...page, isArchived: true, agentId: 7 }),
      'chat_session_agent_archived_idx',
    ],
    [
      'sessions with metadata that few have',
      sessions({ ...active, metadata: { customer: 'c7' } }),
      'chat_session_metadata_idx',
    ],
    [
      'sessions of a day long ago',
      sessions({ ...active, from: new Date('2026-01-05'), to: new Date('2026-01-06') }),
      'chat_session_active_idx',
    ],
    ['deliveries', deliveries(page), 'webhook_delivery_tenant_idx'],
    [
      'deliveries of a status that none has',
      deliveries({ ...page, statuses: ['exhausted'] }),
      'webhook_delivery_status_idx',
    ],
    [
      'deliveries of an endpoint that has none',
      deliveries({ ...page, endpointId: 9 }),
      'webhook_delivery_endpoint_idx',
    ],
  ])('for %s uses an index, among many rows', async (_name, queryOf, index) => {
    const query = queryOf();
    const plan = await api.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL session_replication_role = replica`);
      await manager.query(`
        INSERT INTO chat_session (id, tenant_id, agent_id, is_active, metadata)
        SELECT ('019b' || lpad(to_hex(n), 8, '0') || '70008000000000000000')::uuid, CASE WHEN n % 100 < 4 THEN 'default' ELSE 'other' END, 1 + n % 2, n % 4 < 2, jsonb_build_object('customer', 'c' || n)
          FROM generate_series(1, 20000) n`);
      await manager.query(`
        INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, execution_id, type, body, status)
        SELECT 'evt_019b' || lpad(to_hex(n), 8, '0'), CASE WHEN n % 100 < 4 THEN 'default' ELSE 'other' END, 1 + n % 2,
               ('019b' || lpad(to_hex(n), 8, '0') || '70008000000000000000')::uuid, 'execution.completed', '{}', 'delivered'
          FROM generate_series(1, 20000) n`);
      // New entries of the index wait in a list, which costs a scan until it is worked off.
      await manager.query(`SELECT gin_clean_pending_list('chat_session_metadata_idx')`);
      await manager.query('ANALYZE chat_session, webhook_delivery');
      const rows = await manager.query<{ 'QUERY PLAN': string }[]>(
        `EXPLAIN ${query.select} ORDER BY ${query.orderBy} LIMIT 21`,
        [...query.parameters],
      );
      await manager.query('ROLLBACK AND CHAIN');
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });

    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on (chat_session|webhook_delivery)\b/);
  });
});
