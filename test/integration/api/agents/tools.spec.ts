import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
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

const BASIC = { name: 'Basic', usecase_type: 'BASIC_CHAT', llm: 1 };
const create = (json: object): Promise<Answer> =>
  ask(api.url, '/api/agents/', { json: { ...BASIC, ...json } });
const calling = (...agents: object[]) => ({ tools: { agents } });
const scout = { agent: 1, name: 'scout', description: 'Looks.' };

it('an agent may call others that are there, by tools of their own or by one with a choice', async () => {
  const choice = { name: 'task', description: 'Hands over.', agents: [scout] };
  expect((await create(calling(scout, choice))).status).toBe(201);
  const config = { require_approval: ['scout'] };
  expect((await create({ ...calling(scout), config })).status).toBe(201);
  const limits = {
    timeout_seconds: 60,
    maximum_iterations: 4,
    budget: { total_tokens: 5_000, cost: '0.10' },
  };
  expect((await create(calling({ ...scout, limits }))).status).toBe(201);
});

it.each<[what: string, agents: unknown, pointer: string, detail: string]>([
  ['an agent that is not there', [{ ...scout, agent: 999 }], '/0/agent', 'must be the id of an active agent'],
  [
    'a choice with one that is not',
    [{ name: 'task', description: 'x', agents: [{ ...scout, agent: 999 }] }],
    '/0/agents/0/agent',
    'must be the id of an active agent',
  ],
  ['two tools of one name', [scout, scout], '/1/name', 'must not be the name of another tool'],
  ['what is no list', 'scout', '', 'a list of agents to call'],
  [
    'a tool without a description',
    [{ agent: 1, name: 'scout' }],
    '/0',
    'must be { "agent", "name", "description", "effect", "limits" }',
  ],
  [
    'a time limit of nothing',
    [{ ...scout, limits: { timeout_seconds: 0 } }],
    '/0/limits/timeout_seconds',
    'at least 1',
  ],
  [
    'more iterations than there may be, in a choice',
    [{ name: 'task', description: 'x', agents: [{ ...scout, limits: { maximum_iterations: 31 } }] }],
    '/0/agents/0/limits/maximum_iterations',
    'must be from 1 to 30 (MAXIMUM_ITERATIONS_MAX)',
  ],
  [
    'a budget that is no money',
    [{ ...scout, limits: { budget: { cost: 'much' } } }],
    '/0/limits/budget/cost',
    'must be a decimal number as text',
  ],
  [
    'a limit that there is not',
    [{ ...scout, limits: { rounds: 3 } }],
    '/0/limits',
    '"timeout_seconds", "maximum_iterations", "budget"',
  ],
])('refuses %s', async (_what, agents, pointer, detail) => {
  const { status, body } = await create({ tools: { agents } });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: expect.arrayContaining([
      { pointer: `#/tools/agents${pointer}`, detail: expect.stringContaining(detail) },
    ]),
  });
});

it('refuses an agent that would call itself, or one of another tenant, or one that is inactive', async () => {
  const { body } = await create({});
  const self = calling({ ...scout, agent: Number(body.id) });
  const at = `/api/agents/${String(body.id)}/`;
  const changed = await ask(api.url, at, { method: 'PATCH', json: self });
  expect(changed.status).toBe(400);
  expect(changed.body).toMatchObject({
    errors: [{ pointer: '#/tools/agents/0/agent', detail: expect.stringContaining('none may call itself') }],
  });
  expect((await create(self)).status).toBe(201);
  await ask(api.url, at, { method: 'DELETE' });
  expect((await create(self)).status).toBe(400);
  await api.dataSource.query(`UPDATE agent SET is_active = true, tenant_id = 'another' WHERE id = $1`, [
    Number(body.id),
  ]);
  expect((await create(self)).status).toBe(400);
});

it('a change of something else is not held against agents that have vanished since', async () => {
  const called = await create({});
  const caller = await create({ ...calling({ ...scout, agent: Number(called.body.id) }) });
  const at = `/api/agents/${String(caller.body.id)}/`;
  await ask(api.url, `/api/agents/${String(called.body.id)}/`, { method: 'DELETE' });
  const json = { config: { require_approval: ['scout'] } };
  expect((await ask(api.url, at, { method: 'PATCH', json })).status).toBe(200);
});
