import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { GuardedClient } from '#libs/guarded-fetch';
import { MessageLogStore, ToolServerStore } from '#libs/persistence';
import { parseKeyring, SecretBox, toolServerPlace } from '#libs/secrets';
import { compileForeignSchema, OpenApiDriver, TenantServers } from '#libs/tool-sources';
import { toolServerLimitsSchema } from '#libs/tooling';
import { ToolServerRepository } from '../../../../apps/worker/src/tool-servers/tool-server-repository.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { makeMcpDriver } from '../../../support/mcp/driver-world.js';
import { serveRealMcp } from '../../../support/mcp/serve-real-mcp.js';
import { Receiver } from '../../webhooks/receiver.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
let store: ToolServerStore;
const box = new SecretBox(parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await WorkerWorld.open();
  store = new ToolServerStore(world.dataSource);
});
beforeEach(() => world.dataSource.query('DELETE FROM tool_server'));
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});
afterAll(() => world.close());

/** The tools of the one server that the tenant has, over real connections. */
async function serverOf(type: 'http' | 'openapi', config: object): Promise<TenantServers> {
  const id = randomUUID();
  await store.create('default', id, {
    ...{ name: 'shop', type, status: 'active', config, limits: toolServerLimitsSchema.parse({}), tools: {} },
    literalsSealed: box.seal('{}', toolServerPlace('default', id)),
  } as unknown as Parameters<ToolServerStore['create']>[2]);
  const mcp = makeMcpDriver();
  const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
  endings.push(mcp.close, () => client.close());
  return new TenantServers({
    ...{ shelf: new ToolServerRepository(store, box), tokens: { read: () => Promise.resolve({}) } },
    drivers: { http: mcp.driver, openapi: new OpenApiDriver(client) },
    ...{ compileReader: compileForeignSchema, access: { to: () => null } },
  });
}

async function openApiShop(): Promise<TenantServers> {
  const receiver = await Receiver.listen((_request, response) =>
    response.writeHead(404, { 'content-type': 'text/plain' }).end('no order 7'),
  );
  endings.push(() => receiver.close());
  const document = { openapi: '3.1.0', info: {}, paths: { '/orders': { post: { operationId: 'fail' } } } };
  return serverOf('openapi', {
    ...{ document: JSON.stringify(document), base_url: `http://127.0.0.1:${receiver.port}` },
    ...{ headers_template: {}, query_template: {}, security: {} },
  });
}

async function mcpShop(): Promise<TenantServers> {
  const served = await serveRealMcp();
  endings.push(() => served.close());
  return serverOf('http', { url: `${served.origin}/mcp`, headers_template: {} });
}

it.each([
  ['a status 404 of an HTTP service', openApiShop, 'HTTP 404: no order 7'],
  ['isError of an MCP server', mcpShop, 'the tool reports an error:\nthe printer is on fire'],
])(
  '%s is an error in event, log and audit, and an answer to the model (S4-26)',
  async (_what, open, said) => {
    const tools = await open();
    await world.offer([], { strategy: 'gpt5_function_calling' });
    await world.dataSource.query(`UPDATE agent SET tools = '{"servers": ["mcp__shop__*"]}' WHERE id = 1`);
    const { id, sessionId } = await world.submit();
    const model = new SequenceModel([
      aModelAnswer({ toolCalls: [aCall('mcp__shop__fail', 'c1', {})] }),
      aModelAnswer({ text: 'It did not work.' }),
    ]);
    expect(await world.run(id, model, [], { tools })).toMatchObject({ status: 'completed', error: null });

    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining(said),
    });
    const events = await world.events.readAfter(id, 0, 1_000);
    expect(events.filter(({ event }) => event === 'tool_result')).toMatchObject([
      { data: { is_error: true } },
    ]);
    const calls = events.filter(
      ({ event, data }) =>
        event === 'log' && data.label === 'CALL mcp__shop__fail' && data.status !== 'start',
    );
    expect(calls).toMatchObject([{ data: { status: 'error', error: expect.stringContaining(said) } }]);
    expect(await world.stepsOf(id)).toMatchObject([
      { tool_name: 'mcp__shop__fail', status: 'failed', output: { status: 'error' } },
    ]);
    const log = await new MessageLogStore(world.dataSource).list('default', sessionId, { limit: 100 });
    expect(log.rows.filter(({ message_type }) => message_type === 'user_result')).toMatchObject([
      { content: { content_blocks: [{ type: 'tool_result', is_error: true }] } },
    ]);
  },
);
