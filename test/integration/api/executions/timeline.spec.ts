import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TimelinePageDto } from '../../../../apps/api/src/executions/timeline.dto.js';
import { TIMELINE_FACTS_SQL } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

/** Rounds of one call each: a model call, and the beginning and the end of its call. */
const ROUNDS = 10_000;
const NOBODY = '0198c0de-0000-7000-8000-000000000001';

let database: TestDatabase;
let api: RunningApi;
let long: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  long = await submit();
  await api.dataSource.query(
    `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data, created_at)
     SELECT $1, 3 * (n - 1) + part, 'default', 1, 4,
            (ARRAY['model_call_completed', 'tool_call_started', 'tool_call_settled'])[part], '',
            CASE part WHEN 1 THEN jsonb_build_object('round', n, 'latencyMs', 5, 'answer', jsonb_build_object(
                             'model', 'm', 'responseId', 'r' || n, 'text', repeat('x', 200), 'usage', NULL,
                             'toolCalls', jsonb_build_array(jsonb_build_object('callId', 'c' || n, 'toolName', 'look', 'arguments', '{}'))))
                      ELSE jsonb_build_object('round', n, 'position', 0) END,
            timestamptz '2026-01-01' + n * interval '1 second'
       FROM generate_series(1, $2::int) n, generate_series(1, 3) part`,
    [long, ROUNDS],
  );
  await api.dataSource.query(
    `INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, input, status)
     SELECT $1, n, 0, 'default', 1, 'c' || n, 'look', '{}', 'started' FROM generate_series(1, $2::int) n`,
    [long, ROUNDS],
  );
  await api.dataSource.query('ANALYZE journal_entry');
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

async function submit(): Promise<string> {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });
  return String(body.id);
}

async function pageOf(id: string, query: string) {
  const { status, body, text } = await ask(api.url, `/api/executions/${id}/timeline/?${query}`);
  expect([status, text]).toEqual([200, expect.anything()]);
  return TimelinePageDto.create(body);
}

describe('GET /api/executions/{id}/timeline/', () => {
  it('begins with the wait for a worker, before anything has happened', async () => {
    const id = await submit();

    expect(await pageOf(id, '')).toMatchObject({
      data: [
        {
          id: 'wait-slot',
          kind: 'wait',
          status: 'waiting',
          reason: 'slot',
          finished_at: null,
          parent_id: null,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it('answers 404 for an execution that is not there', async () => {
    const answer = await ask(api.url, `/api/executions/${NOBODY}/timeline/`);

    expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail: 'Execution not found' });
  });

  it('has pages, none with an entry twice and none left out', async () => {
    const ids: string[] = [];
    let cursor = '';
    for (let page = 1; page <= 4; page += 1) {
      const { data, next_cursor } = await pageOf(long, `limit=7${cursor}`);
      ids.push(...data.map(({ id }) => id));
      cursor = `&cursor=${next_cursor ?? ''}`;
    }

    const { data } = await pageOf(long, 'limit=28');
    expect(ids).toEqual(data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(28);
    expect(data.slice(1, 5)).toMatchObject([
      { kind: 'model_call', round: 1, model: 'm', finished_at: '2026-01-01T00:00:01.000Z', cost_usd: null },
      { kind: 'tool_call', call: '1.0', tool_name: 'look', status: 'started', parent_id: ids[1] },
      { kind: 'model_call', round: 2 },
      { kind: 'tool_call', call: '2.0' },
    ]);
  });

  it('reads as much for a page in the middle of 10 000 steps as for the first one', async () => {
    const blocksFrom = async (sequence: number): Promise<number> => {
      const [row] = await api.dataSource.query<[{ 'QUERY PLAN': { Plan: Record<string, number> }[] }]>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${TIMELINE_FACTS_SQL}`,
        [long, sequence, 22],
      );
      const plan = row['QUERY PLAN'][0]?.Plan ?? {};
      return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
    };
    const first = await blocksFrom(0);

    expect(first).toBeGreaterThan(0);
    expect(await blocksFrom(ROUNDS)).toBeLessThan(2 * first + 20);
    expect(await blocksFrom(3 * ROUNDS - 30)).toBeLessThan(2 * first + 20);
  });
});
