import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ToolServerStore } from '#libs/persistence';
import { parseKeyring, SecretBox, toolServerPlace } from '#libs/secrets';
import { compileForeignSchema, TenantServers } from '#libs/tool-sources';
import { ToolServerFailure, type ToolServerLimits } from '#libs/tooling';
import { ToolServerRepository } from '../../../../apps/worker/src/tool-servers/tool-server-repository.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aServerTool } from '../../../support/builders/tool-server.js';
import { ScriptedDriver, type Script } from '../../../support/fakes/scripted-driver.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
let store: ToolServerStore;
const box = new SecretBox(parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const ID = '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e02';
const LIMITS: ToolServerLimits = { timeout_ms: 5_000, concurrency: 8 };
const CONFIG = { url: 'https://crm.example.com/mcp', headers_template: { Authorization: null } };

beforeAll(async () => {
  world = await WorkerWorld.open();
  store = new ToolServerStore(world.dataSource);
});
beforeEach(async () => {
  await world.dataSource.query('DELETE FROM tool_server');
  await store.create('default', ID, {
    ...{ name: 'crm', type: 'http', status: 'active', config: CONFIG, limits: LIMITS },
    tools: { find: { effect: 'read' } },
    literalsSealed: box.seal(
      '{"headers_template":{"Authorization":"Bearer sk-1"}}',
      toolServerPlace('default', ID),
    ),
  });
});
afterAll(() => world.close());

async function select(...servers: string[]): Promise<string> {
  await world.offer([]);
  await world.dataSource.query('UPDATE agent SET tools = $1 WHERE id = 1', [JSON.stringify({ servers })]);
  return (await world.submit()).id;
}

function sourceOf(script: Script) {
  const driver = new ScriptedDriver(script);
  const shelf = new ToolServerRepository(store, box);
  const tokens = { read: () => Promise.resolve({}) };
  const tools = new TenantServers({
    ...{ shelf, drivers: { http: driver }, tokens, compileReader: compileForeignSchema },
    access: { to: () => null },
  });
  return { driver, tools };
}

const calling = () =>
  new SequenceModel([
    aModelAnswer({ toolCalls: [aCall('mcp__crm__find', 'c1', {})] }),
    aModelAnswer({ text: 'done' }),
  ]);

async function warningsOf(executionId: string): Promise<unknown> {
  const [row] = await world.dataSource.query<{ warnings: unknown }[]>(
    `SELECT data->'warnings' AS warnings FROM journal_entry WHERE execution_id = $1 AND kind = 'execution_prepared'`,
    [executionId],
  );
  return row?.warnings ?? null;
}

it('an agent without servers of its own has those that its tenant offers to all (S4-8)', async () => {
  const { tools } = sourceOf(() => ({ tools: [aServerTool('find')] }));
  const offering = async (settings: object, own: object) => {
    await world.offer([]);
    await world.dataSource.query(`UPDATE tenant SET settings = $1 WHERE id = 'default'`, [settings]);
    await world.dataSource.query('UPDATE agent SET tools = $1 WHERE id = 1', [own]);
    const model = new SequenceModel([aModelAnswer({ text: 'done' })]);
    await world.run((await world.submit()).id, model, [], { tools });
    return model.requests[0]?.tools.map(({ name }) => name);
  };
  const all = { tool_servers: 'all' };
  expect(await offering(all, {})).toEqual(['mcp__crm__find']);
  expect(await offering(all, { servers: [] })).toEqual([]);
  expect(await offering({}, {})).toEqual([]);
});

it('an agent calls a tool of its server, which is opened with what is sealed, and closed with the run', async () => {
  const { driver, tools } = sourceOf(() => ({
    tools: [aServerTool('find')],
    warnings: ['one was left out'],
  }));
  const id = await select('mcp__crm__*');
  const model = calling();
  expect(await world.run(id, model, [], { tools })).toMatchObject({ status: 'completed' });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['mcp__crm__find']);
  expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'mcp__crm__find', status: 'succeeded' }]);
  expect(driver.credentials[0]?.headers).toEqual({ Authorization: 'Bearer sk-1' });
  expect(driver.opened).toEqual(['crm']);
  expect(driver.held.size).toBe(0);
  expect(await warningsOf(id)).toEqual(['tool server crm: one was left out']);
});

it('a named server that is away puts the execution back, and any other leaves a warning', async () => {
  const { tools } = sourceOf(() => {
    throw new ToolServerFailure('unreachable', 'nothing listens there');
  });
  const named = await select('mcp__crm__find');
  const put = await world
    .run(named, calling(), [], { tools })
    .catch(() => world.executions.find('default', named));
  expect(put).toMatchObject({ status: 'queued', error: null });

  const any = await select('*');
  const model = new SequenceModel([aModelAnswer({ text: 'done without' })]);
  expect(await world.run(any, model, [], { tools })).toMatchObject({ status: 'completed' });
  expect(model.requests[0]?.tools).toEqual([]);
  expect(await warningsOf(any)).toEqual(['tool server crm is left out: nothing listens there']);
});

it('a server that is inactive, gone or of another tenant is not there (S4-8)', async () => {
  const { driver, tools } = sourceOf(() => ({ tools: [aServerTool('find')] }));
  await store.update('default', ID, { status: 'inactive' }, null);
  const id = await select('mcp__crm__*');
  expect(await world.run(id, calling(), [], { tools })).toMatchObject({
    status: 'failed',
    error: {
      code: 'VALIDATION_ERROR',
      message: 'the tools of the agent are not usable: there is no active tool server named crm',
    },
  });
  expect(driver.opened).toEqual([]);
  expect(await new ToolServerRepository(store, box).read('another', ID, 1)).toBeNull();
});

it('a changed server is read anew, an unchanged one is not', async () => {
  let reads = 0;
  const counting = {
    listActive: (tenantId: string) => store.listActive(tenantId),
    findSealed: (tenantId: string, id: string) => {
      reads += 1;
      return store.findSealed(tenantId, id);
    },
  };
  const shelf = new ToolServerRepository(counting, box);
  await shelf.read('default', ID, 1);
  await shelf.read('default', ID, 1);
  expect(reads).toBe(1);
  await store.update('default', ID, { limits: { ...LIMITS, concurrency: 1 } }, null);
  expect(await shelf.read('default', ID, 2)).toMatchObject({ version: 2, limits: { concurrency: 1 } });
  expect(reads).toBe(2);
});
