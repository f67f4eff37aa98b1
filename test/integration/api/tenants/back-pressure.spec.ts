import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';
import { emptyTables } from '../../../support/services/empty-tables.js';

const FULL = {
  status: 429,
  code: 'QUEUE_FULL',
  detail: '2 executions of the tenant are waiting, the maximum (TENANT_QUEUE_LIMIT); try again later',
};
const OVERLOADED = {
  status: 503,
  code: 'OVERLOADED',
  detail: 'the backlog of the service is full; try again later',
};

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
});
afterAll(() => database.drop());

function submit(headers: Record<string, string> = {}): Promise<Answer> {
  return ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' }, headers });
}

function withLimits(limits: Record<string, string>): void {
  beforeEach(async () => {
    api = await startApi({ DATABASE_URL: database.url, ...limits });
    await emptyTables(api.dataSource, 'chat_session');
  });
  afterEach(() => api.app.close());
}

describe('a tenant with too much waiting', () => {
  withLimits({ TENANT_QUEUE_LIMIT: '2' });

  it('is refused more, with the time to come back', async () => {
    expect((await submit()).status).toBe(202);
    expect((await submit()).status).toBe(202);
    const refused = await submit();
    expectProblem(refused, FULL);
    expect(refused.headers.get('retry-after')).toBe('1');
    const [row] = await api.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM execution',
    );
    expect(row?.count).toBe(2);
  });

  it('is refused with the policy interrupt as well, and its conversation continues', async () => {
    const first = await submit();
    await api.dataSource.query(`UPDATE execution SET status = 'requires_action' WHERE id = $1`, [
      first.body['id'],
    ]);
    await submit();
    await submit();
    const json = { input: 'y', session_uuid: first.body['session_uuid'], on_conflict: 'interrupt' };
    expectProblem(await ask(api.url, '/api/agents/1/execute/', { json }), FULL);
    const rows = await api.dataSource.query<object[]>(
      `SELECT status, cancel_requested_at FROM execution WHERE id = $1`,
      [first.body['id']],
    );
    expect(rows).toEqual([{ status: 'requires_action', cancel_requested_at: null }]);
  });

  it('is answered what it submitted before, and refused a key that it used otherwise', async () => {
    const first = await submit({ 'idempotency-key': 'a' });
    await submit();
    const replayed = await submit({ 'idempotency-key': 'a' });
    expect(replayed).toMatchObject({ status: 202, body: { id: first.body['id'] } });
    const reused = await ask(api.url, '/api/agents/1/execute/', {
      json: { input: 'other' },
      headers: { 'idempotency-key': 'a' },
    });
    expect(reused.status).toBe(422);
    expectProblem(await submit({ 'idempotency-key': 'b' }), FULL);
  });

  it('may go on as soon as something has been taken up', async () => {
    await submit();
    await submit();
    await api.dataSource.query(`UPDATE execution SET status = 'running'`);
    await waitFor(async () => (await submit()).status === 202, { description: 'room in the line' });
  });

  it('may not repeat a settled execution either', async () => {
    const { body } = await submit();
    await api.dataSource.query(`UPDATE execution SET status = 'failed', finished_at = now()`);
    await submit();
    await submit();
    expectProblem(
      await ask(api.url, `/api/executions/${String(body['id'])}/retry/`, { method: 'POST' }),
      FULL,
    );
  });
});

describe('a tenant that submits faster than anything is measured', () => {
  withLimits({ TENANT_QUEUE_LIMIT: '5' });

  it.each<[string, (index: number) => object, object]>([
    ['new conversations', () => ({}), {}],
    ['turns of one conversation', () => ({ on_conflict: 'enqueue' }), { session: true }],
    ['conversations under keys', (index) => ({ key: `k${index}` }), {}],
  ])(
    'has no more accepted than may wait: %s',
    async (_what, variant, { session = false }: { session?: boolean }) => {
      const other = await startApi({ DATABASE_URL: database.url, TENANT_QUEUE_LIMIT: '5' });
      try {
        const first = session ? await submit() : null;
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, index) => {
            const { key, ...more } = variant(index) as { key?: string };
            return ask((index % 2 === 0 ? api : other).url, '/api/agents/1/execute/', {
              json: { input: 'x', ...more, ...(first && { session_uuid: first.body['session_uuid'] }) },
              headers: key === undefined ? {} : { 'idempotency-key': key },
            });
          }),
        );
        const accepted = answers.filter(({ status }) => status === 202);
        expect(accepted).toHaveLength(session ? 4 : 5);
        for (const refused of answers.filter((answer) => !accepted.includes(answer)))
          expectProblem(refused, {
            ...FULL,
            detail: FULL.detail.replace(/^2/, '5'),
          });
        const [row] = await api.dataSource.query<{ count: number }[]>(
          'SELECT count(*)::int AS count FROM execution',
        );
        expect(row?.count).toBe(5);
      } finally {
        await other.app.close();
      }
    },
  );
});

describe('a service with too much waiting', () => {
  withLimits({ QUEUE_LIMIT: '2' });

  it('refuses everybody', async () => {
    await submit();
    await submit();
    const refused = await submit();
    expectProblem(refused, OVERLOADED);
    expect(refused.headers.get('retry-after')).toBe('1');
  });

  it('counts what others than this process have accepted', async () => {
    await submit();
    await submit();
    await api.dataSource.query(`UPDATE execution SET tenant_id = 'other'`);
    const other = await startApi({ DATABASE_URL: database.url, QUEUE_LIMIT: '2' });
    try {
      expectProblem(await ask(other.url, '/api/agents/1/execute/', { json: { input: 'x' } }), OVERLOADED);
    } finally {
      await other.app.close();
    }
  });
});

describe('a service that is slow', () => {
  withLimits({ QUEUE_WAIT_LIMIT_SECONDS: '20', TENANT_IN_FLIGHT_CAP: '1' });

  it('refuses only the tenant whose work waits too long for a worker', async () => {
    const sent = await submit();
    const waiting = await submit();
    await api.dataSource.query(
      `UPDATE execution SET tenant_id = 'other', head_since = now() - interval '30 seconds' WHERE id = ANY($1)`,
      [[sent.body['id'], waiting.body['id']]],
    );
    await waitFor(async () => (await submit()).status === 202, { description: 'the line of another tenant' });
    await api.dataSource.query(`UPDATE execution SET tenant_id = 'default'`);
    const refused = await waitFor(
      async () => {
        const answer = await submit();
        return answer.status === 202 ? null : answer;
      },
      { description: 'the age of the line to be noticed' },
    );
    expectProblem(refused, OVERLOADED);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(30);
  });
});
