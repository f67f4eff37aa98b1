import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const PATH = '/api/datasources/';
const HANDBOOK = { name: 'handbook', llm_id: 1, embed_model: 'text-embedding-3-small', dimensions: 1_024 };

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});
beforeEach(async () => {
  await api.dataSource.query('DELETE FROM document');
  await api.dataSource.query('DELETE FROM datasource');
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const make = (json: object = HANDBOOK): Promise<Answer> => ask(api.url, PATH, { json });
const at = ({ body }: Answer): string => `${PATH}${String(body.id)}/`;
const change = (made: Answer, json: object, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(api.url, at(made), { method: 'PATCH', json, headers });

async function addDocument({ body }: Answer): Promise<void> {
  const sql = `INSERT INTO document (id, tenant_id, datasource_id, title) VALUES ($1, 'default', $2, 'Rules')`;
  await api.dataSource.query(sql, [randomUUID(), body.id]);
}

it('a datasource is made, read, replaced, changed and deleted, as the version that If-Match names', async () => {
  const made = await make();
  const defaults = { description: '', chunk_tokens: 400, overlap_tokens: 40, document_count: 0 };
  expect(made).toMatchObject({ status: 201, body: { ...HANDBOOK, ...defaults } });
  expect((await ask(api.url, at(made))).body).toEqual(made.body);

  const replaced = await ask(api.url, at(made), { method: 'PUT', json: { ...HANDBOOK, name: 'rules' } });
  expect(replaced).toMatchObject({ status: 200, body: { name: 'rules' } });
  const changed = await change(made, { dimensions: 256 }, { 'if-match': '"2"' });
  expect(changed).toMatchObject({ status: 200, body: { name: 'rules', dimensions: 256 } });
  expect((await change(made, { name: 'x' }, { 'if-match': '"2"' })).status).toBe(412);
  expect((await ask(api.url, at(made), { method: 'DELETE', headers: { 'if-match': '"1"' } })).status).toBe(
    412,
  );
  expect((await ask(api.url, at(made), { method: 'DELETE' })).status).toBe(204);
  expect((await ask(api.url, at(made))).status).toBe(404);
  expect((await change(made, { name: 'x' })).status).toBe(404);
});

it('its documents make another answer of it, and no other version', async () => {
  const made = await make();
  const tag = String((await ask(api.url, at(made))).headers.get('etag'));
  const again = () => ask(api.url, at(made), { headers: { 'if-none-match': tag } });
  expect((await again()).status).toBe(304);
  await addDocument(made);
  expect(await again()).toMatchObject({ status: 200, body: { document_count: 1 } });
  expect((await change(made, { name: 'rules' }, { 'if-match': tag })).status).toBe(200);
  expect((await change(made, { name: 'x' }, { 'if-match': tag })).status).toBe(412);
});

it('datasources are listed in pages', async () => {
  for (const name of ['a', 'b', 'c']) await make({ ...HANDBOOK, name });

  const first = await ask(api.url, `${PATH}?limit=2`);
  const names = (first.body.data as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(['a', 'b']);
});

it('one name is one datasource', async () => {
  await make();
  const problem = {
    status: 409,
    code: 'DATASOURCE_NAME_TAKEN',
    detail: 'Another datasource of the tenant has this name',
  };
  expectProblem(await make(), problem);
  expectProblem(await change(await make({ ...HANDBOOK, name: 'b' }), { name: 'handbook' }), problem);
});

it.each([
  ['no model configuration', { llm_id: 999 }, 'llm_id', 'must be a model configuration of the tenant'],
  [
    'as much overlap as chunk',
    { chunk_tokens: 100, overlap_tokens: 100 },
    'overlap_tokens',
    'must be less than chunk_tokens',
  ],
  ['no dimensions', { dimensions: 0 }, 'dimensions', 'must be at least 1'],
])('with %s it is refused by field, new or changed', async (_what, fault, field, detail) => {
  const problem = {
    status: 400,
    code: 'VALIDATION_ERROR',
    detail: `${field}: ${detail}`,
    places: [`pointer #/${field}`],
  };

  expectProblem(await make({ ...HANDBOOK, ...fault }), problem);
  expectProblem(await change(await make(), fault), problem);
});

it('the embedding model cannot change while there are documents', async () => {
  const made = await make();
  await addDocument(made);

  for (const vectors of [{ dimensions: 256 }, { embed_model: 'other' }])
    expect(await change(made, vectors)).toMatchObject({ status: 409, body: { code: 'DATASOURCE_IN_USE' } });
  expect(await ask(api.url, at(made), { method: 'DELETE' })).toMatchObject({
    status: 409,
    body: { code: 'DATASOURCE_IN_USE' },
  });
  expect(await change(made, { name: 'rules', chunk_tokens: 200 })).toMatchObject({
    status: 200,
    body: { name: 'rules', document_count: 1, chunk_tokens: 200 },
  });
});

it('a resource of another tenant answers 404', async () => {
  const made = await make();
  await api.dataSource.query(
    `INSERT INTO tenant (id, name) VALUES ('other', 'Other') ON CONFLICT DO NOTHING`,
  );
  await api.dataSource.query(`UPDATE datasource SET tenant_id = 'other'`);

  expect((await ask(api.url, at(made))).status).toBe(404);
  expect((await change(made, { name: 'x' })).status).toBe(404);
  expect((await ask(api.url, at(made), { method: 'DELETE' })).status).toBe(404);
  expect((await ask(api.url, PATH)).body.data).toEqual([]);
});
