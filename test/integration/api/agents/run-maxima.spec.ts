import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type Answer } from '../http-client.js';

let database: TestDatabase;
/** An API with the default maxima. */
let usual: RunningApi;
let generous: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  usual = await startApi({ DATABASE_URL: database.url });
  const maxima = { EXECUTION_TIMEOUT_MAX_SECONDS: '7200', MAXIMUM_ITERATIONS_MAX: '100' };
  generous = await startApi({ DATABASE_URL: database.url, ...maxima });
});

afterAll(async () => {
  await usual.app.close();
  await generous.app.close();
  await database.drop();
});

const agentWith = (api: RunningApi, fields: object): Promise<Answer> =>
  ask(api.url, '/api/agents/', {
    json: { name: 'Patient', usecase_type: 'BASIC_CHAT', llm: 1, ...fields },
  });
const WIDE = { timeout_seconds: 7_200, maximum_iterations: 100 };
const called = { agent: 1, name: 'scout', description: 'Looks things up', limits: WIDE };
const step = { name: 'ask', kind: 'llm', prompt: 'Hello', limits: WIDE };
const TIME = 'must be from 1 to 3600 (EXECUTION_TIMEOUT_MAX_SECONDS)';
const ROUNDS = 'must be from 1 to 30 (MAXIMUM_ITERATIONS_MAX)';

it.each<[string, object, string]>([
  ['a config', { config: WIDE }, '#/config'],
  ['the limits of an agent that is called', { tools: { agents: [called] } }, '#/tools/agents/0/limits'],
  ['the limits of a step', { usecase_type: 'CUSTOM', config: { steps: [step] } }, '#/config/steps/0/limits'],
])('%s is held to the maxima of the operator, which the error names', async (_what, fields, place) => {
  expect((await agentWith(generous, fields)).body).not.toHaveProperty('errors');
  const { status, body } = await agentWith(usual, fields);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: [
      { pointer: `${place}/timeout_seconds`, detail: TIME },
      { pointer: `${place}/maximum_iterations`, detail: ROUNDS },
    ],
  });
});

it('an agent and an execution from before a lower maximum stay valid', async () => {
  const { body } = await agentWith(generous, { config: WIDE });
  const at = `/api/agents/${String(body.id)}/`;
  const changed = await ask(usual.url, at, { method: 'PATCH', json: { tools: { builtin: [] } } });
  expect(changed).toMatchObject({ status: 200, body: { config: WIDE } });
  expect((await ask(usual.url, `${at}execute/`, { json: { input: 'x' } })).status).toBe(202);
});

it('a request asks for no more than the maxima', async () => {
  const request = { json: { input: 'x', options: WIDE } };
  expect((await ask(generous.url, '/api/agents/1/execute/', request)).status).toBe(202);
  const { status, body } = await ask(usual.url, '/api/agents/1/execute/', request);
  expect(status).toBe(400);
  expect(body).toMatchObject({ errors: [{ detail: TIME }, { detail: ROUNDS }] });
});

it('strategies show the most rounds of this server', async () => {
  for (const [api, max] of [
    [usual, 30],
    [generous, 100],
  ] as const) {
    const { body } = await ask(api.url, '/api/strategies/');
    expect(JSON.stringify(body)).toContain(`"max":${max}`);
  }
});
