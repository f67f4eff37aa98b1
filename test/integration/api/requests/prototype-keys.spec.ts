import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../../worker/worker-world.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';

/** Keys of `Object.prototype`. Bodies are written as JSON text, because `__proto__` in a literal sets the prototype. */
const KEYS = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString'];
const HOSTILE: Readonly<Record<string, unknown>> = Object.fromEntries(
  KEYS.map((key, index) => [key, index % 2 === 0 ? key : { [key]: index }]),
);
const inJson = (text: string): string => text.replace('{', '{"__proto__":{"polluted":true},');

let world: WorkerWorld;
let api: RunningApi;

beforeAll(async () => {
  world = await WorkerWorld.open();
  api = await startApi({ DATABASE_URL: world.databaseUrl });
});
afterAll(async () => {
  await api.app.close();
  await world.close();
});

const send = (path: string, method: string, json: object) => ask(api.url, path, { method, json });

it('a body with a key __proto__ is refused, wherever it stands', async () => {
  for (const raw of [inJson('{}'), `{"config":${inJson('{"a":1}')}}`]) {
    expect(await ask(api.url, '/api/agents/1/', { method: 'PATCH', raw })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_JSON' },
    });
  }
});

describe.each<[string, string, string, object]>([
  ['config of an agent', 'config', '/api/agents/', { name: 'A', usecase_type: 'BASIC_CHAT', llm: 1 }],
  ['tools of an agent', 'tools', '/api/agents/', { name: 'A', usecase_type: 'BASIC_CHAT', llm: 1 }],
  ['extra of a model configuration', 'extra', '/api/llms/', { name: 'L', model: 'a-model' }],
])('keys of Object.prototype in the %s', (_name, field, path, fields) => {
  it('are kept, and stay changeable', async () => {
    const created = await send(path, 'POST', { ...fields, [field]: HOSTILE });
    expect(created).toMatchObject({ status: 201, body: { [field]: HOSTILE } });
    const at = `${path}${String(created.body.id)}/`;

    expect(await send(at, 'PATCH', { name: 'B' })).toMatchObject({
      status: 200,
      body: { name: 'B', [field]: HOSTILE },
    });
    const more = { ...HOSTILE, toString: null };
    expect(await send(at, 'PATCH', { [field]: more })).toMatchObject({
      status: 200,
      body: { [field]: more },
    });
    expect(await send(at, 'PUT', { ...fields, [field]: HOSTILE })).toMatchObject({ status: 200 });
    expect((await ask(api.url, at)).body[field]).toEqual(HOSTILE);
    expect(await send(at, 'PATCH', { [field]: {} })).toMatchObject({ status: 200, body: { [field]: {} } });
  });
});

it('an execution runs with such keys in extra, config, options, metadata and data', async () => {
  const extra = { extra: HOSTILE };
  const llm = await send('/api/llms/', 'POST', { name: 'L', model: 'a-model', ...extra });
  const agent = await send('/api/agents/', 'POST', {
    name: 'A',
    usecase_type: 'BASIC_CHAT',
    llm: llm.body.id,
    config: HOSTILE,
  });
  const metadata = Object.fromEntries(KEYS.map((key) => [key, key]));
  const submitted = await send(`/api/agents/${String(agent.body.id)}/execute/`, 'POST', {
    input: 'hello',
    options: HOSTILE,
    metadata,
    additional_data: { domSnapshot: HOSTILE },
  });
  expect(submitted.status).toBe(202);
  const id = String(submitted.body.id);

  const view = await world.run(id, new ScriptedModel([aModelAnswer({ text: 'done' })]));

  expect(view).toMatchObject({ status: 'completed', metadata });
  const messages = await ask(api.url, `/api/sessions/${view.session_uuid}/messages/`);
  const data = messages.body.data as { role: string; data: object }[];
  expect(data.find(({ role }) => role === 'user')?.data).toEqual({
    domSnapshot: HOSTILE,
  });
});
