import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXECUTION_STATUSES } from '#libs/payloads';
import { listExecutionsQuery } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type Answer } from '../http-client.js';

const TOKENS = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const SESSION = '019a0000-0000-7000-8000-000000000000';
const DAYS = 12;
/** Statuses of the executions, one a day; the last group of an execution's id is the number of its day. */
const STATUSES = ['completed', 'failed', 'cancelled', 'requires_action'] as const;

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  await api.dataSource.query(`INSERT INTO chat_session (id, tenant_id, agent_id) VALUES ($1, 'default', 1)`, [
    SESSION,
  ]);
  for (let day = 1; day <= DAYS; day += 1) {
    const at = new Date(Date.UTC(2026, 0, day, 12));
    const time = at.getTime().toString(16).padStart(12, '0');
    const metadata = { parity: String(day % 2), ...(day === 5 && { 'a]b': 'ü&=', constructor: 'x' }) };
    await api.dataSource.query(
      `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status, metadata, created_at)
       VALUES ($1, 'default', 1, $2, $3, $7, $4, $5, $6)`,
      [
        `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(day).padStart(12, '0')}`,
        ...[SESSION, day, STATUSES[day % STATUSES.length], day === 6 ? {} : metadata, at],
        day === 7 ? {} : { executor: { user_id: `u${day % 3}` } },
      ],
    );
  }
  const detailsOf = (day: number) => [
    ...[
      day,
      day > 6 ? 2 : 1,
      day % 4 === 1 ? { code: day > 4 ? 'TIMEOUT' : 'SDK_ERROR', message: 'm' } : null,
    ],
    ...[day === 3 ? null : { ...TOKENS, total_cost_usd: day === 2 ? null : `0.0${day}` }, `${day} seconds`],
  ];
  for (let day = 1; day <= DAYS; day += 1) {
    const [_day, version, error, usage, duration] = detailsOf(day);
    await api.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL session_replication_role = replica`);
      await manager.query(
        `UPDATE execution SET agent_version = $2, error = $3, usage = $4, started_at = created_at,
                finished_at = CASE WHEN status = 'requires_action' THEN NULL ELSE created_at + $5::interval END,
                request = request || jsonb_build_object('input', 'Order ' || turn_number || ': 50%_off, Ärger')
          WHERE turn_number = $1`,
        [day, version, error, usage, duration],
      );
    });
  }
  await api.dataSource.query(
    `INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, input, status)
     SELECT id, 1, 0, 'default', 1, 'c', CASE WHEN turn_number > 10 THEN 'refund' ELSE 'look' END, '{}',
            CASE turn_number WHEN 12 THEN 'started' ELSE 'refused' END FROM execution`,
  );
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const list = (query: string): Promise<Answer> => ask(api.url, `/api/executions/?limit=100&${query}`);
async function daysOf(query: string): Promise<number[]> {
  const { status, body, text } = await list(query);
  expect([status, text]).toEqual([200, expect.anything()]);
  return (body.data as { id: string }[]).map(({ id }) => Number(id.slice(-12)));
}

describe('executions are listed', () => {
  it.each<[string, number[]]>([
    ['', [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['sort=created_at', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ['status=failed', [9, 5, 1]],
    ['status=failed,cancelled,failed', [10, 9, 6, 5, 2, 1]],
    ['status=failed,cancelled&sort=created_at', [1, 2, 5, 6, 9, 10]],
    ['status=queued,running', []],
    ['from=2026-01-10', [12, 11, 10]],
    ['to=2026-01-03', [2, 1]],
    ['from=2026-01-03T12:00:00Z&to=2026-01-05T12:00:00Z', [4, 3]],
    ['from=2026-01-03T21:00:00%2B09:00&to=2026-01-04', [3]],
    ['metadata[parity]=1&status=failed,cancelled', [9, 5, 1]],
    ['metadata%5Bparity%5D=0&from=2026-01-05', [12, 10, 8]],
    ['metadata[a%5Db]=%C3%BC%26%3D&metadata[parity]=1', [5]],
    ['metadata[constructor]=x', [5]],
    ['metadata[parity]=', []],
    [`session_uuid=${SESSION}&agent_id=1&status=completed`, [12, 8, 4]],
    ['agent_id=2', []],
    ['executor_id=u1', [10, 4, 1]],
    ['executor_id=u0&status=cancelled,requires_action&sort=created_at', [3, 6]],
    ['executor_id=u9', []],
    ['agent_id=1&agent_version=2', [12, 11, 10, 9, 8, 7]],
    ['agent_id=1&agent_version=1&status=failed', [5, 1]],
    ['error_code=TIMEOUT', [9, 5]],
    ['error_code=SDK_ERROR&sort=created_at', [1]],
    ['tool_name=refund', [11]],
    ['tool_name=look&status=failed', [9, 5, 1]],
    ['tool_name=lo', []],
    ['min_cost_usd=0.010', [12, 11, 10, 9, 8, 7, 6, 5, 4, 1]],
    ['min_cost_usd=0.04&max_cost_usd=0.06', [6, 5, 4]],
    ['max_cost_usd=0.012', [12, 11, 10, 1]],
    ['min_duration_ms=10000', [12, 10]],
    ['max_duration_ms=2000', [2, 1]],
    ['min_duration_ms=4000&max_duration_ms=4000', [4]],
    ['input=order%207', [7]],
    ['input=RDER%201', [12, 11, 10, 1]],
    ['input=50%25_off&status=failed', [9, 5, 1]],
    ['input=50%25%25off', []],
    ['input=%C3%84rger&sort=created_at', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  ])('by %j', async (query, days) => expect(await daysOf(query)).toEqual(days));

  it.each(['sort=created_at&status=failed,cancelled', 'status=failed,cancelled,completed', ''])(
    'in pages that leave nothing out, by %j',
    async (query) => {
      const whole = await daysOf(query);
      const found: number[] = [];
      let cursor = '';
      do {
        const { body } = await ask(api.url, `/api/executions/?limit=2&${query}${cursor}`);
        found.push(...(body.data as { id: string }[]).map(({ id }) => Number(id.slice(-12))));
        cursor = body.has_more === true ? `&cursor=${String(body.next_cursor)}` : '';
      } while (cursor !== '');
      expect(found).toEqual(whole);
    },
  );

  it.each<[string, string, string]>([
    [
      'status=done',
      'status',
      `must be one of ${EXECUTION_STATUSES.join(', ')}, or several with commas between`,
    ],
    ['status=failed,', 'status', 'must be one of'],
    ['status=failed&status=completed', 'status', 'or several with commas between'],
    ['sort=name', 'sort', 'must be one of -created_at, created_at'],
    ['from=yesterday', 'from', 'must be a day (2026-11-22, from 00:00 UTC)'],
    ['to=2026-01-01T00:00:00', 'to', 'or a time with its zone'],
    ['metadata=x', 'metadata', 'must be a JSON object'],
    ['metadata[a]=1&metadata[a]=2', 'metadata.a', 'must be given once'],
    ['metadata[a]=%00', 'metadata', 'must be text without NUL'],
    ['metadata[]=1', 'metadata[]', 'is not a known parameter'],
    ['metadata[__proto__]=x', 'metadata[__proto__]', 'is not a known parameter'],
    ['agent_version=1', 'agent_version', 'needs agent_id beside it'],
    ['agent_id=1&agent_version=0', 'agent_version', 'must be a whole number from 1'],
    ['error_code=timeout', 'error_code', 'capital letters, digits and _'],
    ['tool_name=', 'tool_name', 'must be 1 to 128 characters'],
    ['tool_name=%00', 'tool_name', 'without NUL'],
    ['min_cost_usd=-1', 'min_cost_usd', 'must be a decimal number, e.g. 0.25'],
    ['max_cost_usd=1e3', 'max_cost_usd', 'must be a decimal number'],
    ['min_cost_usd=10&max_cost_usd=9', 'max_cost_usd', 'must not be below min_cost_usd'],
    ['min_duration_ms=1.5', 'min_duration_ms', 'must be a whole number'],
    ['min_duration_ms=2&max_duration_ms=1', 'max_duration_ms', 'must not be below min_duration_ms'],
    ['input=ab', 'input', 'must be 3 to 200 characters'],
    ['input=abc%00', 'input', 'without NUL'],
    ['state=failed', 'state', 'is not a known parameter'],
  ])('not by %s, which says what is allowed', async (query, parameter, detail) => {
    const { status, body } = await list(query);

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ parameter, detail: expect.stringContaining(detail) }]);
  });
  it('not by a text where the database has no index of texts, which says so', async () => {
    await api.dataSource.query('ALTER INDEX execution_input_idx RENAME TO put_away');
    const { status, body } = await list('input=order');
    await api.dataSource.query('ALTER INDEX put_away RENAME TO execution_input_idx');

    expect(status).toBe(400);
    const detail = 'cannot be searched here: the database lacks the extension pg_trgm';
    expect(body.errors).toEqual([{ parameter: 'input', detail }]);
  });
});

describe('the plan of a list', () => {
  it.each<[string, object, string]>([
    ['a rare status', { statuses: ['failed'] }, 'execution_status_idx'],
    ['some statuses', { statuses: ['failed', 'cancelled'] }, 'execution_status_idx'],
    ['an agent that has none', { agentId: 7 }, 'execution_agent_idx'],
    ['an agent and a status of others', { agentId: 2, statuses: ['failed'] }, 'execution_agent_status_idx'],
    ['a rare pair of metadata', { metadata: { order: '77' } }, 'execution_metadata_idx'],
    ['an executor', { executorId: 'u1' }, 'execution_executor_idx'],
    ['a day long ago', { from: new Date('2026-01-05'), to: new Date('2026-01-06') }, `(id >= '019b864d`],
    ['a rare version', { agentId: 2, agentVersion: 3 }, 'execution_agent_version_idx'],
    ['an error', { errorCode: 'TIMEOUT' }, 'execution_error_idx'],
    ['a rare tool', { toolName: 'refund' }, 'run_step_tool_idx'],
    ['a high cost', { minCostUsd: '9.95' }, 'execution_cost_idx'],
    ['a long duration', { minDurationMs: 9_950_000 }, 'execution_duration_idx'],
    ['a rare text of the input', { input: 'parcel 7777' }, 'execution_input_idx'],
    ['nothing', {}, 'Index Scan Backward'],
  ])('by %s reads what an index finds, among many', async (_name, filter, index) => {
    const { dataSource } = api;
    const plan = await dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL session_replication_role = replica`);
      await manager.query(`
        INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status, metadata, created_at,
                               agent_version, error, usage, started_at, finished_at)
        SELECT ('019b' || lpad(to_hex(n), 8, '0') || '70008000000000000000')::uuid, 'default', CASE WHEN n % 500 < 2 THEN 1 ELSE 2 END, '${SESSION}', 100 + n, jsonb_build_object('input', 'parcel ' || n),
               CASE n % 500 WHEN 0 THEN 'failed' WHEN 1 THEN 'cancelled' ELSE 'completed' END,
               CASE n % 10 WHEN 0 THEN jsonb_build_object('order', n::text) ELSE '{}' END,
               timestamptz '2026-02-01' + n * interval '1 minute', CASE n % 1000 WHEN 3 THEN 3 ELSE 1 END,
               CASE n % 500 WHEN 0 THEN '{"code": "TIMEOUT"}'::jsonb END,
               jsonb_build_object('total_cost_usd', (n / 2000.0)::text), timestamptz '2026-02-01', timestamptz '2026-02-01' + n * interval '1 second' / 2
          FROM generate_series(1, 20000) n`);
      await manager.query(`
        INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, input, status)
        SELECT id, 1, 0, 'default', 1, 'c', CASE turn_number WHEN 5000 THEN 'refund' ELSE 'look' END, '{}', 'succeeded'
          FROM execution WHERE turn_number > 100`);
      await manager.query('ANALYZE execution');
      await manager.query('ANALYZE run_step');
      const options = { isOldestFirst: false, limit: 20, ...filter };
      const query = listExecutionsQuery('SELECT e.* FROM execution e', 'default', options);
      const rows = await manager.query<{ 'QUERY PLAN': string }[]>(
        `EXPLAIN ${query.select} ORDER BY ${query.orderBy} LIMIT 21`,
        [...query.parameters],
      );
      await manager.query('ROLLBACK AND CHAIN');
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });

    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  });
});
