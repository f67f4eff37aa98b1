import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { ToolServerFailure } from '#libs/tooling';
import { WorkerModule } from '../../../../apps/worker/src/worker.module.js';
import { TOOL_SERVER_DRIVERS } from '../../../../apps/worker/src/worker.tokens.js';
import { aServerTool } from '../../../support/builders/tool-server.js';
import { ScriptedDriver } from '../../../support/fakes/scripted-driver.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type Answer } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const CANARY = 'sk-canary-of-a-person';
const inputs: unknown[] = [];

/** Each level is checked twice by the one before it: 2^40 checks, if they were not counted. */
const ENDLESS = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, level) => {
      const next = { $ref: `#/$defs/d${level + 1}` };
      return [`d${level}`, level === 40 ? { type: 'string' } : { not: { anyOf: [next, next] } }];
    }),
  ),
};

const driver = new ScriptedDriver(({ name }) => {
  if (name === 'endless')
    return {
      warnings: [],
      tools: [aServerTool('find', { inputSchema: ENDLESS, run: () => Promise.reject(new Error('run')) })],
    };
  if (name === 'away') throw new ToolServerFailure('unreachable', 'nothing listens there');
  return {
    warnings: ['one tool was left out'],
    tools: [
      aServerTool('find', {
        inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        run: (input) => {
          inputs.push(input);
          const outputs = [{ type: 'text' as const, text: 'found' }];
          return Promise.resolve({ result: { status: 'success', result: {} }, outputs });
        },
      }),
      aServerTool('burst', { run: () => Promise.reject(new Error(`burst with ${CANARY}`)) }),
      aServerTool('vanish', {
        run: () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
      }),
      aServerTool('secret'),
    ],
  };
});

describe('trying tool servers, with the queue in PostgreSQL', () => {
  trying();
});
describeWithRedis('trying tool servers, with the queue in Redis', ({ url }) => {
  trying(url);
});

function trying(redisUrl?: string): void {
  let database: TestDatabase;
  let api: RunningApi;
  let worker: INestApplicationContext | null = null;
  let id: string;

  beforeAll(async () => {
    database = await createSeededDatabase();
    const env = {
      ...{ DATABASE_URL: database.url, ENCRYPTION_KEY },
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    };
    api = await startApi(env);
    const config = parseEnv({ NODE_ENV: 'test', WORKER_PORT: '0', ...env });
    const logger = pino(
      { level: 'debug' },
      { write: (line: string) => void (api.log as string[]).push(line) },
    );
    const building = Test.createTestingModule({ imports: [WorkerModule.forRoot(config, logger)] });
    const built = await building.overrideProvider(TOOL_SERVER_DRIVERS).useValue({ http: driver }).compile();
    worker = await built.init();
  });
  beforeEach(async () => {
    await api.dataSource.query('DELETE FROM tool_server');
    await api.dataSource.query('DELETE FROM tool_trial');
    id = String((await make('crm')).body.id);
  });
  afterAll(async () => {
    await worker?.close();
    await api.app.close();
    await database.drop();
  });

  const make = (name: string): Promise<Answer> => {
    const config = { url: `https://${name}.example.com/`, headers_template: { Authorization: '${crm}' } };
    const tools = { find: { effect: 'read', approval: true }, secret: { is_hidden: true } };
    return ask(api.url, '/api/mcp-servers/', { json: { name, type: 'http', config, tools } });
  };
  const probe = (server: string, json: object = { tokens: { crm: CANARY } }): Promise<Answer> =>
    ask(api.url, `/api/mcp-servers/${server}/probe/`, { json });
  const attempt = (name: string, input: object = {}): Promise<Answer> =>
    ask(api.url, `/api/tools/${name}/try/`, { json: { input, tokens: { crm: CANARY } } });

  it('a probe lists what there is, and agents may name it from then on', async () => {
    const { status, body } = await probe(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, fault: null, warnings: ['one tool was left out'] });
    const tools = body.tools as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(['mcp__crm__find', 'mcp__crm__burst', 'mcp__crm__vanish']);
    expect(tools[0]).toMatchObject({ tool: 'find', effect: 'read', approval: true });
    expect(driver.credentials.at(-1)?.headers).toEqual({ Authorization: CANARY });
    expect(driver.held.size).toBe(0);

    const listed = await ask(api.url, '/api/tools/?source=server&limit=2');
    expect(listed.body).toMatchObject({
      data: [
        { name: 'mcp__crm__burst' },
        { name: 'mcp__crm__find', server: { id, name: 'crm' }, is_stale: false },
      ],
      has_more: true,
    });
    await ask(api.url, `/api/mcp-servers/${id}/`, { method: 'PATCH', json: { limits: { concurrency: 1 } } });
    const rest = await ask(api.url, `/api/tools/?source=server&cursor=${String(listed.body.next_cursor)}`);
    expect(rest.body).toMatchObject({
      data: [{ name: 'mcp__crm__vanish', is_stale: true }],
      has_more: false,
    });
    expect((await ask(api.url, '/api/tools/')).text).toContain('"source":"builtin"');
  });

  it('a probe says what lacks a token, and what cannot be used', async () => {
    expect((await probe(id, {})).body.warnings).toEqual([
      'no value for the token crm; what needs it is not sent',
      'one tool was left out',
    ]);
    const away = await make('away');
    expect((await probe(String(away.body.id))).body).toMatchObject({
      ...{ ok: false, fault: 'unreachable', message: 'nothing listens there', tools: [] },
    });
    expect((await probe('01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e02')).status).toBe(404);
  });

  it('are held against a schema in the same number of steps as in a run', async () => {
    await make('endless');
    expect((await attempt('mcp__endless__find', { a: 1 })).body).toMatchObject({
      ...{ outcome: 'refused', output: expect.stringContaining('there are too many values to be checked') },
    });
  });

  it.each([
    ['mcp__crm__find', { name: 'Mara' }, 'succeeded', 'found'],
    ['mcp__crm__find', { name: 7 }, 'refused', 'name: must be string'],
    ['mcp__crm__secret', {}, 'refused', 'there is not a tool named mcp__crm__secret'],
    ['mcp__crm__burst', {}, 'failed', 'tool invoke error: failed to execute tool'],
    ['mcp__crm__vanish', {}, 'outcome_unknown', 'it is not known whether this call took effect'],
  ])('%s with %j: %s', async (name, input, outcome, output) => {
    const before = inputs.length;
    const { status, body } = await attempt(name, input);
    expect(status).toBe(200);
    expect(body).toMatchObject({ outcome, output: expect.stringContaining(output) });
    expect(inputs.length - before).toBe(outcome === 'succeeded' ? 1 : 0);
    expect(driver.held.size).toBe(0);
    const rows: unknown = await api.dataSource.query('SELECT * FROM tool_trial');
    expect(rows).toMatchObject([
      {
        tenant_id: 'default',
        tool_name: name,
        input,
        status: 'done',
        answer: { outcome },
        tokens_sealed: null,
      },
    ]);
    const seen = [JSON.stringify(rows), ...api.log];
    expect(seen.filter((text) => text.includes(CANARY))).toEqual([]);
  });

  it('no tool of a server that is inactive or not there can be tried', async () => {
    await ask(api.url, `/api/mcp-servers/${id}/`, { method: 'PATCH', json: { status: 'inactive' } });
    expect((await attempt('mcp__crm__find', { name: 'x' })).status).toBe(404);
    expect((await attempt('mcp__gone__find')).status).toBe(404);
    expect((await attempt('get_order_request')).status).toBe(404);
  });

  it('is done by a worker: none is there at once', async () => {
    await worker?.close();
    worker = null;
    expect((await probe(id)).body).toMatchObject({ status: 503, code: 'NO_WORKER' });
  });
}
