import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const SKILL = { name: 'refunds', description: 'How to pay money back.', content: '# Refunds\nAsk first.' };

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});
beforeEach(() => api.dataSource.query('DELETE FROM skill'));
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const make = (json: object = SKILL): Promise<Answer> => ask(api.url, '/api/skills/', { json });
const at = ({ body }: Answer): string => `/api/skills/${String(body.id)}/`;

it('a skill is made, read, replaced, changed and deleted, as the version that If-Match names', async () => {
  const made = await make();
  expect(made).toMatchObject({ status: 201, body: { ...SKILL, is_active: true } });
  expect((await ask(api.url, at(made))).body).toEqual(made.body);

  const replaced = await ask(api.url, at(made), { method: 'PUT', json: { ...SKILL, name: 'returns' } });
  expect(replaced).toMatchObject({ status: 200, body: { name: 'returns', content: SKILL.content } });
  const patched = await ask(api.url, at(made), { method: 'PATCH', json: { is_active: false } });
  expect(patched.body).toMatchObject({ ...SKILL, name: 'returns', is_active: false });
  expect([made, replaced, patched].map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"2"', '"3"']);

  const old = { method: 'DELETE', headers: { 'if-match': '"1"' } };
  expect((await ask(api.url, at(made), old)).status).toBe(412);
  expect((await ask(api.url, at(made), { ...old, method: 'PATCH', json: { name: 'x' } })).status).toBe(412);
  expect((await ask(api.url, at(made), { method: 'DELETE', headers: { 'if-match': '"3"' } })).status).toBe(
    204,
  );
  expect((await ask(api.url, at(made))).status).toBe(404);
  expect((await ask(api.url, at(made), { method: 'DELETE' })).status).toBe(404);
});

it('skills are listed in pages, without what they say', async () => {
  for (const name of ['a', 'b', 'c']) await make({ ...SKILL, name });

  const first = await ask(api.url, '/api/skills/?limit=2');
  const rest = await ask(api.url, `/api/skills/?cursor=${String(first.body.next_cursor)}`);

  expect(first.body).toMatchObject({ has_more: true, data: [{ name: 'a' }, { name: 'b' }] });
  expect(rest.body).toMatchObject({ has_more: false, data: [{ name: 'c', description: SKILL.description }] });
  expect(first.text).not.toContain('content');
});

it('a name is one skill of the tenant', async () => {
  const [taken, other] = [await make(), await make({ ...SKILL, name: 'other' })];
  const refusal = {
    status: 409,
    code: 'SKILL_NAME_TAKEN',
    detail: 'Another skill of the tenant has this name',
  };

  expectProblem(await make(), refusal);
  expectProblem(await ask(api.url, at(other), { method: 'PATCH', json: { name: SKILL.name } }), refusal);
  expect((await ask(api.url, at(taken), { method: 'PATCH', json: { name: SKILL.name } })).status).toBe(200);
});

it.each<[string, object, string]>([
  ['a name with a blank', { ...SKILL, name: 'pay back' }, '#/name'],
  ['a name with a dot', { ...SKILL, name: 'a.b' }, '#/name'],
  ['a name of 201 characters', { ...SKILL, name: 'x'.repeat(201) }, '#/name'],
  ['no description', { name: 'x', content: 'y' }, '#/description'],
  ['no content', { ...SKILL, content: '' }, '#/content'],
  ['65 537 bytes', { ...SKILL, content: 'x'.repeat(65_537) }, '#/content'],
  ['65 538 bytes in fewer characters', { ...SKILL, content: 'あ'.repeat(21_846) }, '#/content'],
])('a skill with %s is refused', async (_name, json, pointer) => {
  const { status, body } = await make(json);

  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ pointer }]);
});

it('a skill of 65 536 bytes and a name of 200 characters are taken', async () => {
  expect((await make({ ...SKILL, name: 'x'.repeat(200), content: 'x'.repeat(65_536) })).status).toBe(201);
});

it('there are at most 100, however many are made at the same time', async () => {
  await api.dataSource.query(
    `INSERT INTO skill (tenant_id, name, description, content)
     SELECT 'default', 's' || n, 'd', 'c' FROM generate_series(1, 98) n`,
  );

  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => make({ ...SKILL, name })));

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ code: 'TOO_MANY_SKILLS' });
});

it('skills of another tenant are not found, and do not take a name', async () => {
  await api.dataSource.query(`INSERT INTO tenant (id, name) VALUES ('stranger', 's') ON CONFLICT DO NOTHING`);
  const [row] = await api.dataSource.query<{ id: number }[]>(
    `INSERT INTO skill (tenant_id, name, description, content) VALUES ('stranger', 'refunds', 'd', 'c') RETURNING id`,
  );
  const path = `/api/skills/${row?.id}/`;

  expect((await make()).status).toBe(201);
  expect((await ask(api.url, path)).status).toBe(404);
  expect((await ask(api.url, path, { method: 'PATCH', json: { name: 'mine' } })).status).toBe(404);
  expect((await ask(api.url, path, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(api.url, '/api/skills/')).text).not.toContain('stranger');
});
