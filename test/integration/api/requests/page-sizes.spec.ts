import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { executionSummarySchema } from '#libs/payloads';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type Answer } from '../http-client.js';
import { settle } from '../settle.js';
import { domains } from '../../../../apps/api/src/domains.js';

const MEGABYTE = 1_000_000;
/** 120,000 characters that take 300,000 bytes of JSON: three-byte characters and escaped quotes. */
const LONG = '発"'.repeat(60_000);
/** Number of agents: the seeded ones and six long ones. */
const AGENTS = domains.agents.length + 6;
const AGENT = { name: 'Long', usecase_type: 'BASIC_CHAT', llm: 1 };

let database: TestDatabase;
let api: RunningApi;
/** An execution with a long answer and with long messages, steps and metadata. */
let execution: { id: string; session_uuid: string };

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  execution = await makeExecutions();
  for (let n = 0; n < 6; n += 1) {
    await ask(api.url, '/api/agents/', { json: { ...AGENT, config: { note: LONG } } });
    await ask(api.url, '/api/llms/', { json: { name: 'Long', model: 'm', extra: { note: LONG } } });
  }
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

async function makeExecutions(): Promise<typeof execution> {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'first' } });
  const session_uuid = String(body.session_uuid);
  await settleLong(String(body.id));
  for (let turn = 2; turn <= 8; turn += 1) {
    const next = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'again', session_uuid } });
    await settleLong(String(next.body.id));
  }
  await api.dataSource.query(
    `INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, input, output, status, started_at)
     SELECT $1, n / 3, n % 3, 'default', 1, 'c' || n, 'look', '{}', to_jsonb($2::text), 'succeeded', now() FROM generate_series(0, 8) n`,
    [body.id, LONG],
  );
  return { id: String(body.id), session_uuid };
}

async function settleLong(id: string): Promise<void> {
  await api.dataSource.query(
    `UPDATE execution SET execution_metadata = jsonb_build_object('note', $2::text) WHERE id = $1`,
    [id, LONG],
  );
  await settle(api.dataSource, id, { content: LONG });
}

type Page = { data: Record<string, unknown>[]; has_more: boolean; next_cursor: string | null };

/** Reads all pages of a list, and expects each to be at most 1 MB. */
async function pagesOf(path: string, query = '?limit=100'): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next = query; ;) {
    const page = await ask(api.url, path + next);
    expectShort(page);
    pages.push(page.body as unknown as Page);
    const { next_cursor: cursor } = page.body;
    if (page.body.has_more !== true) return pages;
    next = `${query === '' ? '?' : `${query}&`}cursor=${String(cursor)}`;
  }
}

function expectShort({ status, text }: Answer): void {
  expect(status).toBe(200);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MEGABYTE);
}

describe('a page of long items ends at 1 MB, and the next one goes on where it ended', () => {
  it.each<[string, () => string, string, string, number]>([
    ['executions', () => '/api/executions/', '?limit=100', 'id', 8],
    ['messages', () => `/api/sessions/${execution.session_uuid}/messages/`, '?limit=100', 'id', 8],
    [
      'messages of an agent',
      () => `/api/agents/1/sessions/${execution.session_uuid}/messages/`,
      '?limit=100',
      'id',
      8,
    ],
    ['steps', () => `/api/executions/${execution.id}/steps/`, '', 'call_id', 9],
    ['model configurations', () => '/api/llms/', '?limit=100', 'id', 7],
    ['agents', () => '/api/agents/', '?limit=100', 'id', AGENTS],
  ])('%s', async (_name, path, query, key, count) => {
    const pages = await pagesOf(path(), query);

    expect(pages.length).toBeGreaterThan(1);
    const keys = pages.flatMap(({ data }) => data.map((item) => item[key]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(count);
  });

  it('agents as a plain array, which says by Link where the rest is', async () => {
    const whole = await ask(api.url, '/api/agents/?include_inactive=true');
    expectShort(whole);
    const data = JSON.parse(whole.text) as { id: number }[];
    const [, rest = ''] = /^<(.*)>; rel="next"$/.exec(whole.headers.get('link') ?? '') ?? [];

    const others = await pagesOf(rest.slice(0, rest.indexOf('?')), rest.slice(rest.indexOf('?')));

    expect(data.length).toBeGreaterThan(1);
    const ids = [...data, ...others.flatMap((page) => page.data)].map(({ id }) => id);
    expect(ids).toHaveLength(AGENTS);
    expect(new Set(ids).size).toBe(AGENTS);
  });
});

it('limits and cursors of steps hold within a page', async () => {
  const pages = await pagesOf(`/api/executions/${execution.id}/steps/`, '?limit=2');

  expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 2, 2, 1]);
  expect(pages.flatMap(({ data }) => data.map(({ round, position }) => [round, position]))).toEqual(
    Array.from({ length: 9 }, (_, n) => [Math.floor(n / 3), n % 3]),
  );
});

it('an item that is longer than a page comes alone', async () => {
  const [message] = await api.dataSource.query<{ id: number }[]>(
    `UPDATE chat_message SET content = repeat('x', 1500000)
      WHERE id = (SELECT min(id) FROM chat_message WHERE session_id = $1) RETURNING id`,
    [execution.session_uuid],
  );
  expect(message).toBeDefined();

  const { body } = await ask(api.url, `/api/sessions/${execution.session_uuid}/messages/?limit=100`);

  expect(body).toMatchObject({ has_more: true });
  expect(body.data).toHaveLength(1);
});

it('a list of executions has everything but what they answered', async () => {
  const { body } = await ask(api.url, `/api/executions/?session_uuid=${execution.session_uuid}&limit=1`);

  const [summary] = body.data as { id: string }[];
  const { result, ...others } = (await ask(api.url, `/api/executions/${summary?.id ?? ''}/`)).body;
  expect(executionSummarySchema.strict().parse(summary)).toEqual(others);
  expect(result).toMatchObject({ message: { content: LONG } });
});
