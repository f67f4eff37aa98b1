import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { GuardedClient } from '#libs/guarded-fetch';
import type { ModelAnswer } from '#libs/agent-core';
import { ApprovalStore } from '#libs/persistence';
import {
  BuiltinServerDriver,
  BuiltinTools,
  CombinedToolSource,
  compileForeignSchema,
  DescriptionReader,
  indexTools,
  OpenApiDriver,
  TenantServers,
} from '#libs/tool-sources';
import { ToolCatalogue, type ServerTool, type ToolServer, type ToolSource } from '#libs/tooling';
import { programFile } from '../../../../scripts/build/programs.ts';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { aServerTool, aToolServer } from '../../../support/builders/tool-server.js';
import { ScriptedDriver } from '../../../support/fakes/scripted-driver.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { Receiver } from '../../webhooks/receiver.js';
import { WorkerWorld } from '../worker-world.js';

const PROGRAM = join(import.meta.dirname, '../../../..', programFile('description-program'));

let world: WorkerWorld;
let receiver: Receiver;
const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
beforeAll(async () => {
  world = await WorkerWorld.open();
  receiver = await Receiver.listen((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"parcels":[7]}');
  });
});
afterAll(async () => {
  await receiver.close();
  await client.close();
  await world.close();
});
afterEach(() => {
  charged.length = 0;
});

const charged: { input: unknown; key: string }[] = [];
const chargeCard: ServerTool = aServerTool('charge_card', {
  description: 'Charges the credit card of a customer.',
  inputSchema: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
  run: (input, { idempotencyKey: key }) => {
    charged.push({ input, key });
    return Promise.resolve({ result: { status: 'success', result: { charged: true } } });
  },
});
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: 200 }, (_, number) => [
      `/shelves/${number}/parcels`,
      { get: { operationId: `listParcelsOfShelf${number}`, summary: `The parcels of shelf ${number}.` } },
    ]),
  ),
};
const OWN = [aTool('look')];

/** An MCP server, a described service and the tools of the installation, more than 128 of them. */
function manyTools(tool = chargeCard): ToolSource {
  const servers: ToolServer[] = [
    aToolServer('shop', { tools: { charge_card: { effect: 'unsafe' }, refund: { effect: 'unsafe' } } }),
    aToolServer('store', {
      connection: {
        type: 'openapi',
        config: { document: JSON.stringify(DESCRIPTION), base_url: `http://127.0.0.1:${receiver.port}` },
      },
    }),
    aToolServer('house', { connection: { type: 'builtin', config: {} } }),
  ];
  const tenantServers = new TenantServers({
    shelf: {
      listActive: () => Promise.resolve(servers),
      read: (_tenant, id) => Promise.resolve(servers.find((server) => server.id === id) ?? null),
    },
    drivers: {
      http: new ScriptedDriver(() => ({ tools: [tool, aServerTool('refund')] })),
      openapi: new OpenApiDriver(client, new DescriptionReader({ program: PROGRAM })),
      builtin: new BuiltinServerDriver(new ToolCatalogue([aTool('count_pallets')])),
    },
    tokens: { read: () => Promise.resolve({}) },
    access: { to: () => null },
    compileReader: compileForeignSchema,
  });
  return new CombinedToolSource([new BuiltinTools(OWN), tenantServers]);
}

async function submit(config: object = {}): Promise<string> {
  await world.offer(OWN, config);
  const tools = JSON.stringify({ builtin: ['look'], servers: ['*'] });
  await world.dataSource.query('UPDATE agent SET tools = $1 WHERE id = 1', [tools]);
  return (await world.submit()).id;
}

const via = (name: string, args: unknown, id = 'c1') => aCall('call_tool', id, { name, arguments: args });
const rounds = (...calls: ReturnType<typeof aCall>[][]): ModelAnswer[] => [
  ...calls.map((toolCalls) => aModelAnswer({ toolCalls })),
  aModelAnswer({ text: 'done' }),
];
const run = (id: string, model: ScriptedModel, tools = manyTools()) => world.run(id, model, [], { tools });

async function approve(id: string): Promise<void> {
  await new ApprovalStore(world.dataSource).decide(
    'default',
    id,
    [{ call: '1.0', approved: true, reason: '' }],
    null,
  );
}

async function factsOf(id: string, kind: string): Promise<Record<string, never>[]> {
  const rows = await world.dataSource.query<{ data: Record<string, never> }[]>(
    'SELECT data FROM journal_entry WHERE execution_id = $1 AND kind = $2 ORDER BY sequence',
    [id, kind],
  );
  return rows.map(({ data }) => data);
}

const outputsIn = (model: ScriptedModel, request: number) =>
  model.requests[request]?.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

it('a model that searches finds and calls tools of every source, each under its own name', async () => {
  const id = await submit();
  const model = new ScriptedModel(
    rounds(
      [aCall('search_tools', 's1', { query: 'parcels of shelf 117', limit: 1 })],
      [
        via('mcp__store__listParcelsOfShelf117', {}, 'c1'),
        via('mcp__house__count_pallets', {}, 'c2'),
        aCall('look', 'c3', {}),
        aCall('mcp__store__listParcelsOfShelf3', 'c4', {}),
      ],
    ),
  );
  expect(await run(id, model)).toMatchObject({ status: 'completed' });

  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['look', 'search_tools', 'call_tool']);
  const [found] = outputsIn(model, 1) ?? [];
  expect(found).toContain('mcp__store__listParcelsOfShelf117');
  expect(found).toContain('The parcels of shelf 117.');
  expect(found).toContain('"parameters"');
  // The model sees its earlier tool calls as it wrote them, with `call_tool`.
  const asked = model.requests[2]?.messages.filter(({ role }) => role === 'assistant').at(-1);
  expect(asked).toMatchObject({
    toolCalls: [
      {
        id: 'c1',
        name: 'call_tool',
        arguments: '{"name":"mcp__store__listParcelsOfShelf117","arguments":{}}',
      },
      { id: 'c2', name: 'call_tool' },
      { id: 'c3', name: 'look' },
      { id: 'c4', name: 'mcp__store__listParcelsOfShelf3' },
    ],
  });
  expect(outputsIn(model, 2)?.[1]).toMatch(/^\[foreign content .*\n.*"parcels":\[7\]/);
  expect((await world.stepsOf(id)).map(({ tool_name, status }) => `${tool_name} ${status}`)).toEqual([
    'search_tools succeeded',
    'mcp__store__listParcelsOfShelf117 succeeded',
    'mcp__house__count_pallets succeeded',
    'look succeeded',
    'mcp__store__listParcelsOfShelf3 succeeded',
  ]);
  const [prepared] = await factsOf(id, 'execution_prepared');
  expect(prepared).toMatchObject({ listed: ['look'] });
  expect(prepared?.['tools']).toHaveLength(204);
});

it('names that are not there, and arguments that do not fit, are answered and not run', async () => {
  const id = await submit();
  const model = new ScriptedModel(
    rounds([
      via('charge_crad', { cents: 5 }, 'c1'),
      via('mcp__shop__charge_card', { cents: 'five' }, 'c2'),
      via('mcp__shop__charge_card', {}, 'c3'),
      aCall('call_tool', 'c4', '{"name": '),
      aCall('call_tool', 'c5', { name: 'call_tool', arguments: { name: 'look' } }),
    ]),
  );
  expect(await run(id, model)).toMatchObject({ status: 'completed' });
  expect(outputsIn(model, 1)).toEqual([
    expect.stringMatching(/no.* tool named charge_crad; names like it: mcp__shop__charge_card/),
    expect.stringContaining('cents: must be integer'),
    expect.stringContaining("must have required property 'cents'"),
    expect.stringContaining('must be valid JSON object'),
    expect.stringContaining('there is not a tool named call_tool'),
  ]);
  expect(charged).toEqual([]);
  expect((await world.stepsOf(id)).map(({ tool_name, status }) => `${tool_name} ${status}`)).toEqual([
    'call_tool refused',
    'mcp__shop__charge_card refused',
    'mcp__shop__charge_card refused',
    'call_tool refused',
    'call_tool refused',
  ]);
});

it('an unsafe one waits for a person under its own name, and runs once', async () => {
  const id = await submit({ require_approval: ['mcp__shop__charge_card'] });
  const model = new ScriptedModel(rounds([via('mcp__shop__charge_card', { cents: 5 })]));
  expect(await run(id, model)).toMatchObject({
    status: 'requires_action',
    required_action: {
      calls: [{ call: '1.0', tool_name: 'mcp__shop__charge_card', tool_input: { cents: 5 } }],
    },
  });
  expect(charged).toEqual([]);
  await approve(id);
  expect(await run(id, model)).toMatchObject({ status: 'completed' });
  expect(charged).toEqual([{ input: { cents: 5 }, key: `${id}.1.0` }]);
});

it('an unsafe one whose worker died is not run again', async () => {
  const id = await submit();
  const model = new ScriptedModel(rounds([via('mcp__shop__charge_card', { cents: 5 })]));
  const [begun, over] = [Promise.withResolvers<null>(), Promise.withResolvers<never>()];
  const never = aServerTool('charge_card', {
    ...chargeCard,
    run: async (input, context) => {
      await chargeCard.run(input, context);
      begun.resolve(null);
      return over.promise;
    },
  });
  const dead = run(id, model, manyTools(never)).catch(() => undefined);
  await begun.promise;
  await world.expireLease(id);
  expect(await run(id, model)).toMatchObject({
    status: 'failed',
    error: { code: 'TOOL_OUTCOME_UNKNOWN' },
  });
  expect(charged).toHaveLength(1);
  expect(await world.stepsOf(id)).toMatchObject([
    { tool_name: 'mcp__shop__charge_card', status: 'outcome_unknown' },
  ]);
  over.reject(new Error('nobody listens any more'));
  await dead;
});

it('tools listed at the beginning stay listed to the end, with any later limit', async () => {
  const id = await submit({ require_approval: ['mcp__shop__charge_card'] });
  const model = new ScriptedModel(rounds([via('mcp__shop__charge_card', { cents: 5 })]));
  expect(await run(id, model)).toMatchObject({ status: 'requires_action' });
  await approve(id);
  const toolSearch = { mostListed: 1_000, indexTools };
  expect(await world.run(id, model, [], { tools: manyTools(), toolSearch })).toMatchObject({
    status: 'completed',
  });
  expect(model.requests[1]?.tools).toEqual(model.requests[0]?.tools);
  expect(model.requests[1]?.messages.slice(0, 2)).toEqual(model.requests[0]?.messages);
  expect(charged).toHaveLength(1);
});

it('one that has changed since is neither found nor called, and the others are', async () => {
  const id = await submit({ require_approval: ['mcp__shop__charge_card'] });
  const model = new ScriptedModel(
    rounds(
      [via('mcp__shop__charge_card', { cents: 5 })],
      [
        aCall('search_tools', 's1', { query: 'charge credit card', limit: 10 }),
        via('mcp__shop__refund', {}, 'c2'),
      ],
    ),
  );
  expect(await run(id, model)).toMatchObject({ status: 'requires_action' });
  await approve(id);
  const changed = manyTools({ ...chargeCard, description: 'Charges it twice.' });
  expect(await run(id, model, changed)).toMatchObject({ status: 'completed' });
  expect(outputsIn(model, 1)).toEqual([expect.stringContaining('has changed since this run began')]);
  expect(outputsIn(model, 2)?.[1]).not.toContain('charge_card');
  expect(outputsIn(model, 2)?.[2]).toContain('refund answered');
  expect(charged).toEqual([]);
});

it('an agent that may call more tools than a run can keep says so', async () => {
  const id = await submit();
  const tools = manyTools();
  const many = new ToolCatalogue(Array.from({ length: 5_000 }, (_, number) => aTool(`t${number}`)));
  const source = { load: async (given: never) => ToolCatalogue.merge([await tools.load(given), many]) };
  const model = new ScriptedModel([]);
  expect(await run(id, model, source)).toMatchObject({
    status: 'failed',
    error: {
      code: 'VALIDATION_ERROR',
      message: 'the options are not usable: tools: the agent may call 5204, at most 5000 are allowed',
    },
  });
});
