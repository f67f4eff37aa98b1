import { describe, expect, it } from '@jest/globals';
import {
  ToolServerFailure,
  type ServerTool,
  type ToolCatalogue,
  type ToolLoad,
  type ToolServer,
} from '#libs/tooling';
import { aServerTool, aToolServer } from '../../../../test/support/builders/tool-server.js';
import { ScriptedDriver, type Script } from '../../../../test/support/fakes/scripted-driver.js';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import { KeptReaders } from './kept-readers.js';
import { TenantServers } from './tenant-servers.js';

const TOOLS = [aServerTool('find'), aServerTool('book')];

interface Given {
  readonly servers?: readonly ToolServer[];
  readonly script?: Script;
  readonly select?: unknown;
  readonly pinned?: readonly string[] | null;
  readonly tokens?: Readonly<Record<string, string>>;
}

function load({ servers = [aToolServer('crm'), aToolServer('erp')], script, ...given }: Given) {
  const driver = new ScriptedDriver(script ?? (() => ({ tools: TOOLS })));
  const source = new TenantServers({
    shelf: {
      listActive: () => Promise.resolve(servers),
      read: (_tenant, id) => Promise.resolve(servers.find((server) => server.id === id) ?? null),
    },
    drivers: { http: driver, openapi: driver, builtin: driver },
    tokens: { read: () => Promise.resolve(given.tokens ?? {}) },
    access: { to: () => null },
    compileReader: new KeptReaders(compileForeignSchema).of,
  });
  const closings: (() => Promise<void>)[] = [];
  const context: ToolLoad = {
    ...{ tenantId: 'default', executionId: 'e', sessionId: 's', scope: '', executor: null, hasSkills: false },
    agentTools: { servers: ('select' in given ? given.select : ['*']) as never },
    signal: new AbortController().signal,
    pinned: given.pinned ?? null,
    onEnd: (close) => void closings.push(close),
  };
  return { driver, loading: source.load(context), end: () => Promise.all(closings.map((close) => close())) };
}

const effectsOf = (catalogue: ToolCatalogue) =>
  catalogue.names().map((name) => [name, catalogue.find(name)?.effect]);

describe('tools selected by an agent', () => {
  it.each<[unknown, string[]]>([
    [['*'], ['mcp__crm__find', 'mcp__crm__book', 'mcp__erp__find', 'mcp__erp__book']],
    [['mcp__erp__*'], ['mcp__erp__find', 'mcp__erp__book']],
    [['mcp__crm__find'], ['mcp__crm__find']],
    [
      ['mcp__crm__find', 'mcp__erp__*'],
      ['mcp__crm__find', 'mcp__erp__find', 'mcp__erp__book'],
    ],
    [[], []],
    [undefined, []],
  ])('%j is offered as %j', async (select, names) => {
    expect((await load({ select }).loading).names()).toEqual(names);
  });

  it('opens no server without a selected tool', async () => {
    const { driver, loading } = load({ select: ['mcp__erp__find'] });
    await loading;
    expect(driver.opened).toEqual(['erp']);
  });

  it.each<[unknown, string]>([
    [['mcp__gone__*'], 'there is no active tool server named gone'],
    [['mcp__crm__gone'], 'there is no tool named mcp__crm__gone'],
    [['crm'], 'servers: "*" for every tool'],
    ['*', 'servers: must be a list of'],
  ])('%j fails the execution, and says why', async (select, words) => {
    await expect(load({ select }).loading).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      kind: 'invalid_input',
      message: expect.stringContaining(words) as unknown,
    });
  });
});

describe('effect of a call', () => {
  const offered = async (server: ToolServer, tool: ServerTool) =>
    effectsOf(await load({ servers: [server], script: () => ({ tools: [tool] }) }).loading)[0]?.[1];
  const declaring = (effect?: 'read' | 'idempotent' | 'unsafe', connection?: object) =>
    aToolServer('crm', {
      tools: effect === undefined ? {} : { find: { effect } },
      ...(connection && { connection }),
    });
  const openapi = { type: 'openapi', config: { document: '{}' } };

  it.each([
    ['no party says', declaring(), aServerTool('find', { effect: 'read' }), 'unsafe'],
    ['only the server says', declaring(), aServerTool('find', { claimedEffect: 'read' }), 'unsafe'],
    ['the tenant says', declaring('read'), aServerTool('find'), 'read'],
    [
      'the server says stricter',
      declaring('read'),
      aServerTool('find', { claimedEffect: 'unsafe' }),
      'unsafe',
    ],
    ['the server says looser', declaring('unsafe'), aServerTool('find', { claimedEffect: 'read' }), 'unsafe'],
    ['the method says', declaring(undefined, openapi), aServerTool('find', { effect: 'read' }), 'read'],
    [
      'the tenant says otherwise',
      declaring('read', openapi),
      aServerTool('find', { effect: 'unsafe' }),
      'read',
    ],
  ])('where %s', async (_name, server, tool, effect) => {
    expect(await offered(server, tool)).toBe(effect);
  });
});

it('offers no hidden tool, has others wait for a person, and holds all to the time of the server', async () => {
  const server = aToolServer('crm', {
    tools: { find: { is_hidden: true }, book: { approval: true } },
    limits: { timeout_ms: 500, concurrency: 1 },
  });
  const catalogue = await load({ servers: [server] }).loading;
  expect(catalogue.names()).toEqual(['mcp__crm__book']);
  expect(catalogue.find('mcp__crm__book')).toMatchObject({
    approval: 'always',
    timeoutMs: 500,
    isForeign: true,
  });
});

it('leaves out a tool that could not be called, with a warning, and keeps the others', async () => {
  const tools = [aServerTool('a', { inputSchema: { type: 'strnig' } }), aServerTool('b'), aServerTool('b')];
  const catalogue = await load({ servers: [aToolServer('crm')], script: () => ({ tools }) }).loading;
  expect(catalogue.names()).toEqual(['mcp__crm__b']);
  expect(catalogue.warnings).toEqual([
    'tool server crm: the tool mcp__crm__a is not usable and left out',
    'tool server crm: the tool mcp__crm__b is not usable and left out',
  ]);
});

it('fills templates, sends nothing that lacks a token, and says so', async () => {
  const config = {
    url: 'https://crm.example.com/mcp',
    headers_template: { Authorization: 'Bearer ${crm}', 'X-User': 'u-${user}', 'X-Plan': 'gold' },
  };
  const servers = [aToolServer('crm', { connection: { type: 'http', config } })];
  const { driver, loading } = load({ servers, tokens: { user: '7', crm: '' } });
  expect((await loading).warnings).toEqual([
    'tool server crm: no value for the token crm; what needs it is not sent',
  ]);
  expect(driver.credentials).toMatchObject([
    { headers: { 'X-User': 'u-7', 'X-Plan': 'gold' }, missing: ['crm'] },
  ]);
  expect(driver.credentials[0]?.headers).not.toHaveProperty('Authorization');
});

describe('a server that cannot be used', () => {
  const failing =
    (fault: ToolServerFailure['fault']): Script =>
    ({ name }) => {
      if (name === 'crm') throw new ToolServerFailure(fault, 'it does not answer');
      return { tools: TOOLS };
    };

  it('is left out with a warning where only * means it', async () => {
    const catalogue = await load({ script: failing('unreachable') }).loading;
    expect(catalogue.names()).toEqual(['mcp__erp__find', 'mcp__erp__book']);
    expect(catalogue.warnings).toEqual(['tool server crm is left out: it does not answer']);
  });

  it.each([
    ['passes', 'unreachable', { kind: 'unavailable', retryable: true }],
    ['is too busy', 'overloaded', { kind: 'unavailable', retryable: true }],
    ['refuses us', 'unauthorized', { kind: 'unprocessable', retryable: false }],
    ['speaks something else', 'protocol', { kind: 'unprocessable', retryable: false }],
  ] as const)('and is named ends the load: what %s', async (_name, fault, error) => {
    const { driver, loading, end } = load({ script: failing(fault), select: ['mcp__crm__*', '*'] });
    await expect(loading).rejects.toMatchObject({
      code: 'TOOLS_UNAVAILABLE',
      message: 'the tool server crm cannot be used: it does not answer',
      ...error,
    });
    await end();
    expect(driver.held.size).toBe(0);
  });

  it('is waited for where the execution was prepared with its tools, and not asked where it was not', async () => {
    const pinned = ['mcp__crm__find'];
    await expect(load({ script: failing('unreachable'), pinned }).loading).rejects.toMatchObject({
      retryable: true,
    });
    const { driver, loading } = load({ pinned: ['mcp__erp__find'], script: failing('unreachable') });
    await loading;
    expect(driver.opened).toEqual(['erp']);
  });

  it('shows nothing of what was thrown', async () => {
    const script: Script = () => {
      throw new TypeError('Bearer canary');
    };
    const catalogue = await load({ script, servers: [aToolServer('crm')] }).loading;
    expect(catalogue.warnings).toEqual(['tool server crm is left out: it could not be connected to']);
  });

  it('and minds no signal is left behind after its time, and closed once it opens', async () => {
    const servers = [aToolServer('crm', { limits: { timeout_ms: 100, concurrency: 1 } })];
    const late = Promise.withResolvers<{ tools: ServerTool[] }>();
    const { driver, loading } = load({ servers, script: () => late.promise });
    expect((await loading).warnings).toEqual(['tool server crm is left out: it did not answer in time']);
    late.resolve({ tools: [] });
    await late.promise;
    await new Promise(setImmediate);
    expect(driver.held.size).toBe(0);
  });
});

it('closes with the run what it has opened', async () => {
  const { driver, loading, end } = load({});
  await loading;
  expect([...driver.held]).toEqual(['crm', 'erp']);
  await end();
  expect(driver.held.size).toBe(0);
});
