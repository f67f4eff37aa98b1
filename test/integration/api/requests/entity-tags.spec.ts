import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const ROUNDS = 40;
const CHANGED = {
  status: 412,
  code: 'VERSION_CHANGED',
  detail: 'the resource has changed since the version of If-Match; read it again',
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

describe.each<[string, string, object, object]>([
  ['agents', '/api/agents/', { name: 'Basic', usecase_type: 'BASIC_CHAT', llm: 1 }, { config: { n: 0 } }],
  ['model configurations', '/api/llms/', { name: 'Mine', model: 'a-model' }, { extra: { n: 0 } }],
])('%s', (_name, path, fields, otherFields) => {
  const [other = ''] = Object.keys(otherFields);

  async function create(): Promise<string> {
    const { status, body } = await ask(api.url, path, { json: fields });
    expect(status).toBe(201);
    return `${path}${String(body.id)}/`;
  }

  const change = (at: string, method: string, json: unknown, ifMatch?: string): Promise<Answer> =>
    ask(api.url, at, { method, json, ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }) });
  const remove = (at: string, ifMatch: string): Promise<Answer> =>
    ask(api.url, at, { method: 'DELETE', headers: { 'if-match': ifMatch } });

  it('name their version in ETag: one more with every change', async () => {
    const created = await ask(api.url, path, { json: fields });
    const at = `${path}${String(created.body.id)}/`;
    const answers = [
      created,
      await ask(api.url, at),
      await change(at, 'PATCH', { name: 'New' }),
      await change(at, 'PUT', fields),
      await ask(api.url, at),
    ];

    expect(answers.map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"1"', '"2"', '"3"', '"3"']);
    expect(Object.keys(created.body)).not.toContain('version');
  });

  it.each(['"1"', '*', '"9", "1"', 'W/"1", "1"'])('are changed where If-Match is %s', async (ifMatch) => {
    const at = await create();

    expect(await change(at, 'PATCH', { name: 'New' }, ifMatch)).toMatchObject({
      status: 200,
      body: { name: 'New' },
    });
  });

  it.each(['"2"', 'W/"1"', '"x"', '""', '"2", "3"'])(
    'stay as they are where If-Match is %s',
    async (ifMatch) => {
      const at = await create();

      expectProblem(await change(at, 'PATCH', { name: 'New' }, ifMatch), CHANGED);
      expectProblem(await change(at, 'PUT', { ...fields, name: 'New' }, ifMatch), CHANGED);
      expectProblem(await remove(at, ifMatch), CHANGED);
      const now = await ask(api.url, at);
      expect(now).toMatchObject({ status: 200, body: fields });
      expect(now.headers.get('etag')).toBe('"1"');
    },
  );

  it('are removed where If-Match is their version', async () => {
    const at = await create();

    expect((await remove(at, '"1"')).status).toBe(204);
    expect((await ask(api.url, at)).status).toBe(404);
  });

  it('refuse an If-Match that is no list of entity tags, before anything else is looked at', async () => {
    const answer = await change(`${path}999999/`, 'PATCH', {}, '1');

    const detail =
      'must be * or the ETag of an earlier answer, in double quotes; several with commas between';
    expectProblem(answer, {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: `If-Match: ${detail}`,
      places: ['header If-Match'],
    });
  });

  it('unknown ones answer 404 for any If-Match', async () => {
    expect((await change(`${path}999999/`, 'PATCH', { name: 'x' }, '"1"')).status).toBe(404);
    expect((await remove(`${path}999999/`, '"1"')).status).toBe(404);
  });

  it('lose no word when two fields change at the same time', async () => {
    const at = await create();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const name = `name ${round}`;
      await Promise.all([change(at, 'PATCH', { name }), change(at, 'PATCH', { [other]: { n: round } })]);

      expect((await ask(api.url, at)).body).toMatchObject({ name, [other]: { n: round } });
    }
  });

  it('let one of several win that have read the same version', async () => {
    const at = await create();
    for (let round = 1; round <= 10; round += 1) {
      const ifMatch = (await ask(api.url, at)).headers.get('etag') ?? '';
      const names = ['a', 'b', 'c', 'd'];
      const answers = await Promise.all(names.map((name) => change(at, 'PATCH', { name }, ifMatch)));

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await ask(api.url, at)).body).toMatchObject({ name: winner?.body.name });
    }
  });
});

it('PUT does not bring back an agent that is being removed', async () => {
  for (let round = 1; round <= 20; round += 1) {
    const fields = { name: 'Basic', usecase_type: 'BASIC_CHAT', llm: 1 };
    const at = `/api/agents/${String((await ask(api.url, '/api/agents/', { json: fields })).body.id)}/`;
    await Promise.all([
      ask(api.url, at, { method: 'PUT', json: fields }),
      ask(api.url, at, { method: 'DELETE' }),
    ]);

    expect((await ask(api.url, at)).status).toBe(404);
  }
});
