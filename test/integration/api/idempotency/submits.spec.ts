import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const REUSED = {
  status: 422,
  code: 'IDEMPOTENCY_KEY_REUSED',
  detail: 'this Idempotency-Key was used with another request in the last 24 hours',
};

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

function submit(key: string, json: unknown, path = '/api/agents/1/execute/'): Promise<Answer> {
  return ask(api.url, path, { json, headers: { 'idempotency-key': key } });
}

async function countExecutions(ids: readonly unknown[]): Promise<number> {
  const rows = await api.dataSource.query<unknown[]>('SELECT 1 FROM execution WHERE id = ANY($1)', [
    [...new Set(ids)],
  ]);
  return rows.length;
}

it('the same key and body answer the same execution', async () => {
  const first = await submit('"once"', { input: 'x', options: { a: 1, b: 2 } });

  const second = await submit('"once"', { options: { b: 2, a: 1 }, input: 'x' });

  expect(second.status).toBe(202);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
});

it('a key is the same in quotes and without', async () => {
  const quoted = await submit('"form"', { input: 'x' });

  const bare = await submit('form', { input: 'x' });

  expect(bare.body.id).toBe(quoted.body.id);
});

it('another body under the same key is refused', async () => {
  await submit('other-body', { input: 'x' });

  expectProblem(await submit('other-body', { input: 'y' }), REUSED);
});

it('another agent under the same key is refused', async () => {
  await submit('other-agent', { input: 'x' });
  await api.dataSource.query(
    `INSERT INTO agent (id, tenant_id, name, usecase_type, llm_id) VALUES (77, 'default', 'a', 'BASIC_CHAT', 1)`,
  );

  expectProblem(await submit('other-agent', { input: 'x' }, '/api/agents/77/execute/'), REUSED);
});

it('a key that a refused request carried is still free', async () => {
  const session_uuid = '0198c0de-0000-7000-8000-000000000001';
  const refused = [await submit('free', { input: '' }), await submit('free', { input: 'x', session_uuid })];

  const accepted = await submit('free', { input: 'y' });

  expect(refused.map((answer) => answer.status)).toEqual([400, 404]);
  expect(accepted.status).toBe(202);
});

it('a key counts anew after its time', async () => {
  const first = await submit('expired', { input: 'x' });
  await api.dataSource.query(
    `UPDATE idempotency_key SET expires_at = now() - interval '1 s' WHERE key = 'expired'`,
  );

  const second = await submit('expired', { input: 'y' });

  expect(second.status).toBe(202);
  expect(second.body.id).not.toBe(first.body.id);
});

it('twenty requests at the same time under one key are one execution', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit('crowd', { input: 'x' })));

  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 202));
  const ids = answers.map((answer) => answer.body.id);
  expect(new Set(ids).size).toBe(1);
  expect(await countExecutions(ids)).toBe(1);
});

it('twenty requests at the same time with different bodies under one key are one execution', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_unused, index) => submit('brawl', { input: `x${index}` })),
  );

  const accepted = answers.filter((answer) => answer.status === 202);
  expect(accepted.length).toBe(1);
  for (const answer of answers.filter((other) => other.status !== 202)) expectProblem(answer, REUSED);
});
