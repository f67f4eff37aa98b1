import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

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

const FIRST = { name: 'Basic', usecase_type: 'BASIC_CHAT', llm: 1, system_prompt: 'Be brief.' };

async function makeAgent(fields: object = FIRST): Promise<string> {
  const { status, body } = await ask(api.url, '/api/agents/', { json: fields });
  expect(status).toBe(201);
  return `/api/agents/${String(body.id)}/`;
}

const patch = (at: string, json: object): Promise<Answer> => ask(api.url, at, { method: 'PATCH', json });
const restore = (at: string, version: number, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(api.url, `${at}versions/${version}/restore/`, { method: 'POST', headers });

it('every change of an agent by any caller is a version; versions are listed newest first, in pages', async () => {
  const at = await makeAgent();
  await patch(at, { system_prompt: null, config: { maximum_iterations: 2 } });
  await api.dataSource.query(`UPDATE agent SET name = 'By hand' WHERE id = $1`, [at.split('/')[3]]);
  await ask(api.url, at, { method: 'DELETE' });

  const page = await ask(api.url, `${at}versions/?limit=3`);
  const rest = await ask(api.url, `${at}versions/?limit=3&cursor=${String(page.body.next_cursor)}`);

  expect(page.body).toMatchObject({
    has_more: true,
    data: [
      { version: 4, name: 'By hand', is_active: false },
      { version: 3, name: 'By hand', is_active: true },
      { version: 2, name: 'Basic', system_prompt: null, config: { maximum_iterations: 2 } },
    ],
  });
  expect(rest.body).toMatchObject({ has_more: false, data: [{ ...FIRST, version: 1, config: {} }] });
  const first = await ask(api.url, `${at}versions/1/`);
  expect(first.body).toEqual({
    ...FIRST,
    id: Number(at.split('/')[3]),
    config: {},
    tools: {},
    is_active: true,
    version: 1,
    created_at: expect.any(String),
  });
});

it('a change without effect on an agent makes no version', async () => {
  const at = await makeAgent();
  await api.dataSource.query(`UPDATE agent SET updated_at = now(), name = name WHERE id = $1`, [
    at.split('/')[3],
  ]);

  expect((await ask(api.url, `${at}versions/`)).body.data).toHaveLength(1);
});

it('an agent becomes again what it was, as a new version, also when it was removed', async () => {
  const at = await makeAgent();
  await patch(at, { name: 'Other', system_prompt: null, config: { maximum_iterations: 2 } });
  await ask(api.url, at, { method: 'DELETE' });

  const restored = await restore(at, 1);

  expect(restored).toMatchObject({ status: 200, body: { ...FIRST, config: {}, is_active: true } });
  expect(restored.headers.get('etag')).toBe('"4"');
  expect((await ask(api.url, at)).body).toEqual(restored.body);
  expect((await ask(api.url, `${at}versions/`)).body.data).toHaveLength(4);
});

it('is restored only where If-Match names the version that the agent has', async () => {
  const at = await makeAgent();
  await patch(at, { name: 'Other' });

  expectProblem(await restore(at, 1, { 'if-match': '"1"' }), {
    status: 412,
    code: 'VERSION_CHANGED',
    detail: 'the resource has changed since the version of If-Match; read it again',
  });
  expect((await ask(api.url, at)).body.name).toBe('Other');
  expect(await restore(at, 1, { 'if-match': '"2"' })).toMatchObject({ status: 200, body: { name: 'Basic' } });
});

it('a version whose tools or model configuration are gone is not restored', async () => {
  const llm = await ask(api.url, '/api/llms/', { json: { name: 'Mine', model: 'a-model' } });
  const at = await makeAgent({ ...FIRST, llm: llm.body.id });
  await patch(at, { llm: 1 });
  expect((await ask(api.url, `/api/llms/${String(llm.body.id)}/`, { method: 'DELETE' })).status).toBe(204);

  expectProblem(await restore(at, 1), {
    status: 400,
    code: 'VALIDATION_ERROR',
    detail: 'llm: there is no model configuration with this id',
    places: ['pointer #/llm'],
  });

  await api.dataSource.query(`UPDATE agent SET tools = '{"builtin": ["gone"]}' WHERE id = $1`, [
    at.split('/')[3],
  ]);
  await patch(at, { tools: {} });
  expect((await restore(at, 3)).body.errors).toMatchObject([{ pointer: '#/tools/builtin/0' }]);
  expect((await ask(api.url, at)).headers.get('etag')).toBe('"4"');
});

it('a model configuration stays while an execution waits that was accepted with it', async () => {
  const llm = await ask(api.url, '/api/llms/', { json: { name: 'Mine', model: 'a-model' } });
  const at = await makeAgent({ ...FIRST, llm: llm.body.id });
  const { body: execution } = await ask(api.url, `${at}execute/`, { json: { input: 'hello' } });
  await patch(at, { llm: 1 });
  const remove = (): Promise<Answer> =>
    ask(api.url, `/api/llms/${String(llm.body.id)}/`, { method: 'DELETE' });

  expect(await remove()).toMatchObject({ status: 409, body: { code: 'LLM_IN_USE' } });
  await ask(api.url, `/api/executions/${String(execution.id)}/cancel/`, { method: 'POST' });

  expect((await remove()).status).toBe(204);
});

it('an execution names the version that it was accepted with', async () => {
  const at = await makeAgent();
  await patch(at, { name: 'Other' });

  const { body } = await ask(api.url, `${at}execute/`, { json: { input: 'hello' } });

  expect(body).toMatchObject({ agent_version: 2 });
  await patch(at, { name: 'Third' });
  const seen = await ask(api.url, `/api/executions/${String(body.id)}/`);
  expect(seen.body).toMatchObject({ agent_version: 2 });
});

it('an execution runs the version that its request names, in a new session and in one that goes on', async () => {
  const at = await makeAgent();
  await patch(at, { name: 'Other' });
  const json = { input: 'hello', agent_version: 1 };

  const first = await ask(api.url, `${at}execute/`, { json });
  const { session_uuid } = first.body;
  const next = await ask(api.url, `${at}execute/`, { json: { ...json, session_uuid } });
  const newest = await ask(api.url, `${at}execute/`, { json: { input: 'hello', session_uuid } });

  expect([first, next, newest].map(({ status, body }) => [status, body.agent_version])).toEqual([
    [202, 1],
    [202, 1],
    [202, 2],
  ]);
});

it('a retry runs the version that the request has named', async () => {
  const at = await makeAgent();
  await patch(at, { name: 'Other' });
  const { body } = await ask(api.url, `${at}execute/`, { json: { input: 'hello', agent_version: 1 } });
  const run = `/api/executions/${String(body.id)}/`;
  await ask(api.url, `${run}cancel/`, { method: 'POST' });

  const retried = await ask(api.url, `${run}retry/`, { method: 'POST', json: {} });

  expect(retried).toMatchObject({ status: 202, body: { agent_version: 1 } });
});

it.each([
  [9, 'the agent has no such version'],
  [0, 'must be a whole number from 1 to 2147483647'],
  ['1', 'must be a whole number from 1 to 2147483647'],
])('a request that names version %j is refused', async (agent_version, detail) => {
  const at = await makeAgent();

  expectProblem(await ask(api.url, `${at}execute/`, { json: { input: 'hello', agent_version } }), {
    status: 400,
    code: 'VALIDATION_ERROR',
    detail: `agent_version: ${detail}`,
    places: ['pointer #/agent_version'],
  });
});

it('a request is judged by the version that it names, and by what the agent is now', async () => {
  const llm = await ask(api.url, '/api/llms/', { json: { name: 'Mine', model: 'a-model' } });
  const at = await makeAgent({ ...FIRST, llm: llm.body.id });
  await patch(at, { llm: 1 });
  await patch(`/api/llms/${String(llm.body.id)}/`, { is_active: false });
  const execute = (agent_version: number): Promise<Answer> =>
    ask(api.url, `${at}execute/`, { json: { input: 'hello', agent_version } });

  expectProblem(await execute(1), {
    ...{ status: 400, code: 'INACTIVE_RESOURCE', detail: 'the model configuration is inactive' },
  });
  expect(await execute(2)).toMatchObject({ status: 202 });

  await ask(api.url, at, { method: 'DELETE' });
  const notFound = { status: 404, code: 'NOT_FOUND', detail: 'Agent not found' };
  expectProblem(await execute(2), notFound);
  expectProblem(await execute(9), notFound);
});

it.each(['versions/9/', 'versions/9/restore/'])(
  '%s of an agent that never had it is not found',
  async (path) => {
    const at = await makeAgent();
    const method = path.endsWith('restore/') ? 'POST' : 'GET';

    expectProblem(await ask(api.url, `${at}${path}`, { method }), {
      status: 404,
      code: 'NOT_FOUND',
      detail: 'Agent version not found',
    });
  },
);

it('versions of an agent that does not exist, or of another tenant, are not found', async () => {
  const [stranger] = await api.dataSource.query<{ id: number }[]>(
    `INSERT INTO agent (tenant_id, name, usecase_type, llm_id) VALUES ('stranger', 'a', 'BASIC_CHAT', 1) RETURNING id`,
  );
  for (const id of [999_999, stranger?.id]) {
    const at = `/api/agents/${id}/`;
    expect((await ask(api.url, `${at}versions/`)).status).toBe(404);
    expect((await ask(api.url, `${at}versions/1/`)).status).toBe(404);
    expect((await restore(at, 1)).status).toBe(404);
  }
});
