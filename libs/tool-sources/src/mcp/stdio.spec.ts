import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { mayHaveTakenEffect, readToolReturn, ToolOutcomeUnknown, type ToolServer } from '#libs/tooling';
import {
  callOf,
  NO_CREDENTIALS,
  runOf,
  toolContext,
  toolServer,
} from '../../../../test/support/mcp/mcp-world.js';
import { makeMcpDriver } from '../../../../test/support/mcp/driver-world.js';
import { describeWithProgram } from '../../../../test/support/services/describe-with-program.js';
import { waitFor } from '../../../../test/support/services/wait-for.js';
import type { McpDriver } from './mcp-driver.js';
import { findIsolation, isolating } from './stdio-isolation.js';
import type { StdioRules } from './stdio-rules.js';
import { StdioTransport } from './stdio-transport.js';

const PROGRAM = join(import.meta.dirname, '../../../../test/support/mcp/stdio-server.mjs');
// The server runs on the same Node as this test.
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
const MEGABYTE = 1_048_576;
const signal = new AbortController().signal;
const failed = (error: unknown): unknown => error;
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function driverOf(rules: Partial<StdioRules> = {}): McpDriver {
  const limits = { memoryBytes: 2_048 * MEGABYTE, mostProcesses: 4, path: PATH };
  const stdio = { lines: [lineOf('node')], isolation: null, ...limits, ...rules };
  const { driver, close } = makeMcpDriver(stdio);
  endings.push(close);
  return driver;
}

const lineOf = (command: string) => ({ tenantId: null, command, args: [PROGRAM], isOpen: true });

function row(args: readonly string[] = [], command = 'node'): ToolServer {
  return toolServer({
    type: 'stdio',
    config: { command, args: [PROGRAM, ...args], env_template: {} },
    limits: { timeout_ms: 20_000, concurrency: 1 },
  });
}

async function open(
  driver: McpDriver,
  server = row(),
  env: Record<string, string> = {},
  run = 'execution-1',
) {
  return driver.open(server, { ...NO_CREDENTIALS, env }, runOf(run), signal);
}

async function textOf(call: ReturnType<typeof callOf>): Promise<string> {
  return readToolReturn(await call, 65_536).output;
}

/** The pids that still run; zombies count as ended. */
function alive(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  });
}

async function familyOf(opened: Awaited<ReturnType<typeof open>>): Promise<number[]> {
  return JSON.parse(await textOf(callOf(opened.tools, 'family'))) as number[];
}

describe('a server that is a process', () => {
  it('sees nothing of our environment but where programs are, and what its templates say', async () => {
    process.env['CANARY_OF_TEST'] = 'ours';
    const opened = await open(driverOf(), row(), { CRM_TOKEN: 'theirs' });
    const seen = JSON.parse(await textOf(callOf(opened.tools, 'environment'))) as Record<string, string>;
    delete process.env['CANARY_OF_TEST'];
    // Variables that the shell adds itself.
    const { PWD: _folder, OLDPWD: _before, SHLVL: _level, _: _name, ...rest } = seen;
    expect(rest).toEqual({ PATH, CRM_TOKEN: 'theirs' });
  });

  it.each([[[]], [['deaf']]])(
    'is ended with all its child processes, for any reaction of it: %j',
    async (args) => {
      const driver = driverOf();
      const opened = await open(driver, row(args));
      const family = await familyOf(opened);
      expect(alive(family)).toHaveLength(2);
      await opened.close();
      await waitFor(() => alive(family).length === 0, { description: 'nobody left' });
      expect(driver.connections).toBe(0);
    },
  );

  it('is ended after a call that was cancelled, and has one process for each run', async () => {
    const driver = driverOf();
    const opened = await open(driver);
    const other = await open(driver, row(), {}, 'execution-2');
    const families = [await familyOf(opened), await familyOf(other)];
    expect(new Set(families.flat()).size).toBe(4);
    const stop = new AbortController();
    const call = callOf(opened.tools, 'hang', toolContext({ signal: stop.signal })).catch(failed);
    stop.abort();
    await call;
    await opened.close();
    await waitFor(() => alive(families[0] ?? []).length === 0, { description: 'nobody left of the first' });
    expect(alive(families[1] ?? [])).toHaveLength(2);
  });

  it('takes its children along when it dies by itself, which leaves the call unknown, and is started anew', async () => {
    const driver = driverOf({ mostProcesses: 1 });
    const opened = await open(driver);
    const family = await familyOf(opened);
    expect(await callOf(opened.tools, 'die').catch(failed)).toBeInstanceOf(ToolOutcomeUnknown);
    await waitFor(() => alive(family).length === 0, { description: 'nobody left' });
    await waitFor(() => driver.connections === 0, { description: 'no connection of it' });
    // Another run, which the ended process must have freed a slot for.
    const openOther = () => open(driver, row(), {}, 'execution-2').catch(() => null);
    const other = await waitFor(openOther, { description: 'room for another' });
    expect(await familyOf(other)).toHaveLength(2);
    await other.close();
    expect(await familyOf(opened)).toHaveLength(2);
  });

  it('is ended by the kernel where it takes more memory than it may', async () => {
    const opened = await open(driverOf({ memoryBytes: 1_024 * MEGABYTE }));
    expect(await callOf(opened.tools, 'devour').catch(failed)).toBeInstanceOf(ToolOutcomeUnknown);
  });

  it('may print what is no message, but not without end', async () => {
    const opened = await open(driverOf());
    expect(await textOf(callOf(opened.tools, 'noise'))).toBe('after the noise');
    expect(await callOf(opened.tools, 'chatter').catch(failed)).toBeInstanceOf(ToolOutcomeUnknown);
  });

  it.each<[string, Parameters<typeof driverOf>[0], ToolServer, Record<string, string>, string]>([
    ['where the operator permits none', { lines: [] }, row(), {}, 'unsupported'],
    ['of another command', {}, row([], 'bash'), {}, 'unsupported'],
    ['that says where programs are', {}, row(), { PATH: '/tmp' }, 'unsupported'],
    ['that has other code loaded', {}, row(), { LD_PRELOAD: '/tmp/x.so' }, 'unsupported'],
    ['where there are too many', { mostProcesses: 0 }, row(), {}, 'overloaded'],
    [
      'that there is not',
      { lines: [lineOf('no-such-program')] },
      row([], 'no-such-program'),
      {},
      'unreachable',
    ],
    [
      'that ends at once',
      { lines: [{ ...lineOf('node'), args: ['-e', '0'] }] },
      toolServer({
        ...row(),
        config: { command: 'node', args: ['-e', '0'], env_template: {} },
      } as Partial<ToolServer>),
      {},
      'unreachable',
    ],
  ])('is not run %s', async (_name, rules, server, env, fault) => {
    const driver = driverOf(rules);
    await expect(open(driver, server, env)).rejects.toMatchObject({ name: 'ToolServerFailure', fault });
    expect(driver.connections).toBe(0);
  });

  it('has not run what was called after its end and could not be started again', async () => {
    const driver = driverOf({ mostProcesses: 1 });
    const opened = await open(driver);
    await callOf(opened.tools, 'die').catch(failed);
    await driver.close();
    const failure = await callOf(opened.tools, 'environment').catch(failed);
    expect(mayHaveTakenEffect(failure)).toBe(false);
  });
});

const isolation = findIsolation(PATH);
const ISOLATION = {
  name: 'isolation of processes (namespaces, or root with setpriv)',
  isInstalled: isolation !== null,
};

describeWithProgram(ISOLATION, 'a process that is isolated', () => {
  /** Output of a shell started like a server. */
  async function say(script: string, env: Record<string, string> = {}): Promise<string> {
    const { file, args, options } = StdioTransport.commandLine({
      ...{ command: 'sh', args: ['-c', script], env, path: PATH, isolation },
      memoryBytes: 2_048 * MEGABYTE,
    });
    const child = spawn(file, args, options);
    for (const stream of child.stdio) stream?.on('error', () => undefined);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child, 'exit');
    // The guardian sees its pipe end and kills the rest of the group.
    for (const stream of child.stdio) if (stream !== child.stdout) stream?.destroy();
    if (child.stdout?.readableEnded === false) await once(child.stdout, 'end');
    return said;
  }

  it('reads the environment of no other process, and has its own', async () => {
    const canary = 'canary-of-worker';
    const secret = spawn('sleep', ['60'], { env: { PATH, SECRET: canary }, stdio: 'ignore' });
    try {
      const said = await say('cat /proc/[0-9]*/environ 2>/dev/null; true', { TOKEN: 'theirs' });
      expect(said).not.toContain(canary);
      expect(said).toContain('TOKEN=theirs');
      expect(readFileSync(`/proc/${secret.pid}/environ`, 'utf8')).toContain(canary);
    } finally {
      secret.kill('SIGKILL');
    }
  });

  it('is no root, has no privilege, and gets none', async () => {
    expect(Number(await say('id -u'))).toBeGreaterThanOrEqual(61_000);
    expect(await say('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status')).toMatch(
      /CapEff:\t0+\nCapBnd:\t0+\nNoNewPrivs:\t1/,
    );
  });
});

it('as a user namespace is entered where we are no root ourselves', () => {
  const line = isolating('namespace', false, 7);
  expect(line.slice(0, 2)).toEqual(['unshare', '--user']);
  expect(line).toContain('--ambient-caps=-all');
  expect(isolating('user', true, 7)).toContain('--reuid=61007');
});

describe('the guardian of a process', () => {
  it('takes the whole group along when we are killed, who started it', async () => {
    // A minimal worker: it starts the signal-ignoring server by the transport's command line, prints the pids, and is
    // killed.
    const { start } = scriptOf();
    const worker = spawn(process.execPath, ['--input-type=module', '-e', start], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    worker.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const family = await waitFor(() => /\[\d+,\d+\]/.exec(said), { description: 'the family' });
    const pids = JSON.parse(family[0]) as number[];
    expect(alive(pids)).toHaveLength(2);
    worker.kill('SIGKILL');
    await waitFor(() => alive(pids).length === 0, { description: 'nobody left' });
  });
});

/** Script that starts the server by the transport's command line and prints the pids of its family. */
function scriptOf(): { start: string } {
  const { file, args, options } = StdioTransport.commandLine({
    command: 'node',
    args: [PROGRAM, 'deaf'],
    env: {},
    memoryBytes: 2_048 * MEGABYTE,
    path: PATH,
    isolation: null,
  });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'family' } };
  return {
    start: `
      import { spawn } from 'node:child_process';
import { once } from 'node:events';
      const child = spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, ${JSON.stringify(options)});
      child.stdout.pipe(process.stdout);
      child.stdin.write(${JSON.stringify(`${JSON.stringify(call)}\n`)});
      child.stdout.on('data', (chunk) => {
        const text = JSON.parse(chunk).result.content[0].text;
        process.stdout.write(text);
      });
    `,
  };
}
