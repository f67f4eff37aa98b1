import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SETTLED_SQL, tallyExecutions } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { rowsOfPlan, type Plan } from '../../../support/services/rows-of-plan.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { ask, type Answer } from '../http-client.js';

let database: TestDatabase;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  key = await createKey(api.dataSource, ['executions:read']);
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const overview = (query = '', as = key): Promise<Answer> =>
  ask(api.url, `/api/overview/${query}`, { headers: { authorization: `Bearer ${as}` } });

interface Made {
  readonly tenant?: string;
  readonly status: string;
  readonly error?: string;
  /** Time since it settled; of an execution that has not, since it was made. */
  readonly ago: string;
  readonly ranSeconds?: number;
  readonly usage?: object;
}

async function make({ tenant = 'default', status, error, ago, ranSeconds, usage }: Made): Promise<void> {
  const isSettled = ['completed', 'incomplete', 'failed', 'cancelled'].includes(status);
  await api.dataSource.query(
    `WITH session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id) VALUES (gen_random_uuid(), $1, 1) RETURNING id
     )
     INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status, error, usage,
                            created_at, head_since, started_at, finished_at)
     SELECT gen_random_uuid(), $1, 1, id, 1, '{}', $2, $3, $4, now() - $5::interval - interval '1 hour', now() - $5::interval,
            now() - $5::interval - $6 * interval '1 second', CASE WHEN $7 THEN now() - $5::interval END FROM session`,
    [
      ...[tenant, status, error === undefined ? null : JSON.stringify({ code: error, message: 'm' })],
      ...[usage === undefined ? null : JSON.stringify(usage), ago, ranSeconds ?? null, isSettled],
    ],
  );
}

const priced = (input: number, output: number, cost: string | null): object => ({
  ...{ input_tokens: input, output_tokens: output, total_tokens: input + output, total_cost_usd: cost },
});

describe('the overview', () => {
  it('has zeros for a tenant without executions', async () => {
    const { status, body } = await overview();

    expect([status, body]).toMatchObject([
      200,
      {
        ...{
          window: '24h',
          under_way: { queued: 0, running: 0, requires_action: 0 },
          oldest_wait_seconds: null,
        },
        ...{ settled: { completed: 0, incomplete: 0, failed: 0, cancelled: 0 }, settled_per_minute: 0 },
        ...{ duration_ms: null, errors: [], parts: [] },
        usage: { input_tokens: 0, output_tokens: 0, total_cost_usd: '0', unpriced_executions: 0 },
      },
    ]);
  });

  it('sums what has settled within its window, the same before it is tallied and after', async () => {
    await make({ status: 'completed', ago: '2 minutes', ranSeconds: 1, usage: priced(100, 10, '0.5') });
    await make({ status: 'completed', ago: '20 minutes', ranSeconds: 2, usage: priced(10, 1, '0.25') });
    await make({ status: 'completed', ago: '20 minutes', ranSeconds: 2, usage: priced(1, 1, null) });
    await make({ status: 'failed', error: 'TIMEOUT', ago: '21 minutes', ranSeconds: 300 });
    await make({ status: 'failed', error: 'TIMEOUT', ago: '5 hours', ranSeconds: 300 });
    await make({ status: 'failed', error: 'SDK_ERROR', ago: '3 days', ranSeconds: 5 });
    await make({ status: 'cancelled', error: 'CANCELLED', ago: '5 hours' });
    await make({ status: 'incomplete', ago: '3 days', ranSeconds: 5 });
    await make({ status: 'completed', ago: '10 days', ranSeconds: 5 });
    await make({ tenant: 'stranger', status: 'completed', ago: '2 minutes', ranSeconds: 1 });
    const read = async (): Promise<object[]> => {
      const answers = await Promise.all(['1h', '24h', '7d'].map((window) => overview(`?window=${window}`)));
      return answers.map(({ body }) => ({
        ...body,
        from: null,
        to: null,
        parts: null,
        settled_per_minute: null,
      }));
    };

    const before = await read();
    await tallyExecutions(api.dataSource);
    const tallied = await api.dataSource.query<unknown[]>('SELECT 1 FROM execution_tally');
    await tallyExecutions(api.dataSource);

    expect(tallied.length).toBeGreaterThan(4);
    expect(await read()).toEqual(before);
    expect(before).toMatchObject([
      {
        settled: { completed: 3, incomplete: 0, failed: 1, cancelled: 0 },
        errors: [{ code: 'TIMEOUT', count: 1 }],
        usage: { input_tokens: 111, output_tokens: 12, total_cost_usd: '0.75', unpriced_executions: 1 },
      },
      {
        settled: { completed: 3, incomplete: 0, failed: 2, cancelled: 1 },
        errors: [
          { code: 'TIMEOUT', count: 2 },
          { code: 'CANCELLED', count: 1 },
        ],
      },
      { settled: { completed: 3, incomplete: 1, failed: 3, cancelled: 1 } },
    ]);
  });

  it('knows durations to within 5 %, and the parts that they fell into', async () => {
    const { body } = await overview('?window=1h');
    const { p50, p95 } = body['duration_ms'] as { p50: number; p95: number };

    expect(Math.abs(p50 / 2_000 - 1)).toBeLessThan(0.05);
    expect(Math.abs(p95 / 300_000 - 1)).toBeLessThan(0.05);
    const parts = body['parts'] as { from: string; completed: number; total_cost_usd: string }[];
    expect(parts.map(({ completed }) => completed).reduce((sum, count) => sum + count)).toBe(3);
    expect(parts.at(-1)).toMatchObject({ completed: 1, total_cost_usd: '0.5' });
    expect(body['settled_per_minute']).toBeCloseTo(4 / 62.5, 1);
  });

  it('counts what is under way, and how long the oldest waits', async () => {
    await make({ tenant: 'busy', status: 'queued', ago: '90 seconds' });
    await make({ tenant: 'busy', status: 'queued', ago: '10 seconds' });
    await api.dataSource.query(
      `UPDATE execution SET head_since = created_at + interval '1 hour' WHERE tenant_id = 'busy'`,
    );
    await make({ tenant: 'busy', status: 'running', ago: '1 hour' });
    await make({ tenant: 'busy', status: 'requires_action', ago: '1 hour' });
    const { body } = await overview('', await createKey(api.dataSource, ['executions:read'], 'busy'));

    expect(body).toMatchObject({ under_way: { queued: 2, running: 1, requires_action: 1 } });
    expect(Math.floor(Number(body['oldest_wait_seconds']) / 30)).toBe(3);
    expect((await overview()).body).toMatchObject({ under_way: { queued: 0 }, oldest_wait_seconds: null });
  });

  it('counts what no person decided in time, in its window', async () => {
    for (const expired of ['30 minutes', '3 hours', '2 days']) {
      await make({ tenant: 'undecided', status: 'running', ago: '1 minute' });
      await api.dataSource.query(
        `UPDATE execution SET approval_expired_at = now() - $1::interval
          WHERE id = (SELECT id FROM execution WHERE tenant_id = 'undecided' AND approval_expired_at IS NULL)`,
        [expired],
      );
    }
    const undecided = await createKey(api.dataSource, ['executions:read'], 'undecided');
    for (const [window, expired_approvals] of Object.entries({ '1h': 1, '24h': 2, '7d': 3 }))
      expect((await overview(`?window=${window}`, undecided)).body).toMatchObject({ expired_approvals });
    expect((await overview()).body).toMatchObject({ expired_approvals: 0 });
  });

  it('lists the tenants that wait, the longest wait first, for administrators only', async () => {
    await make({ tenant: 'calm', status: 'queued', ago: '10 seconds' });
    await make({ tenant: 'later', status: 'queued', ago: '1 hour' });
    await api.dataSource.query(
      `UPDATE execution SET due_at = now() + interval '1 hour' WHERE tenant_id = 'later'`,
    );
    expect((await overview()).body).toMatchObject({ waiting_tenants: null });

    const admin = await createKey(api.dataSource, ['executions:read', 'admin']);
    const { body } = await overview('', admin);
    expect(body['waiting_tenants']).toEqual([
      { tenant_id: 'busy', queued: 2, oldest_wait_seconds: expect.any(Number) as unknown },
      { tenant_id: 'calm', queued: 1, oldest_wait_seconds: expect.any(Number) as unknown },
    ]);
  });

  it.each(['?window=1y', '?window=', '?from=2026-01-01'])('refuses %s', async (query) => {
    expect((await overview(query)).status).toBe(400);
  });
});

it('reads sums, and no execution that is in them', async () => {
  await api.dataSource.query(
    `WITH session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id) VALUES (gen_random_uuid(), 'many', 1) RETURNING id
     )
     INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status, created_at, started_at, finished_at)
     SELECT gen_random_uuid(), 'many', 1, session.id, n, '{}', 'completed', now(), now() - n * interval '30 seconds' - interval '3 seconds',
            now() - n * interval '30 seconds'
       FROM session, generate_series(1, 20000) n`,
  );
  await api.dataSource.query(`INSERT INTO tenant (id, name) VALUES ('many', 'many') ON CONFLICT DO NOTHING`);
  // 100 hours at a time.
  await tallyExecutions(api.dataSource);
  await tallyExecutions(api.dataSource);
  await api.dataSource.query('ANALYZE execution; ANALYZE execution_tally');

  const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
  const [row] = await api.dataSource.query<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${SETTLED_SQL}`,
    ['many', from, 360],
  );
  const plan = row['QUERY PLAN'][0].Plan;

  // 7 minutes of two a minute, and 2016 buckets of five minutes, which are also asked for the newest.
  expect(rowsOfPlan(plan, 'execution')).toBeLessThan(20);
  expect(rowsOfPlan(plan, 'execution_tally')).toBeLessThan(2_100);
});
