import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shownFiles } from '../../support/documents/shown-files.js';
import { waitFor } from '../../support/services/wait-for.js';
import { createTestDatabase } from '../../support/services/test-database.js';
import { reservePort } from '../../support/services/reserve-port.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);
const MINUTES = 60_000;

const TOOL = (answer: string): string => `import { defineTool } from 'capstan/kit';
import { z } from 'zod';

export const greet = defineTool({
  name: 'greet',
  description: 'Greets a person.',
  input: z.object({ name: z.string() }),
  effect: 'read',
  run: ({ name }) => \`${answer} \${name}\`,
});
`;
const AGENT = `import { defineAgent } from 'capstan/kit';
import { greet } from '../tools/greet.ts';

export const host = defineAgent({ name: 'host', instruction: 'You greet people.', tools: [greet] });
`;

/** Calls the tool of the domain that the guide shows. */
const SCRIBE = `import { defineAgent } from 'capstan/kit';
import { keepNote } from '../domains/notes/index.ts';

export const scribe = defineAgent({ name: 'scribe', instruction: 'You keep notes.', tools: [keepNote] });
`;

/** `capstan dev` of the installed package. */
interface Development {
  readonly url: string;
  output: string;
  readonly process: ChildProcess;
}

const CLI = 'node_modules/capstan/dist/cli.js';
/** Notes the payment in the file of PAYMENTS and never answers, as a provider that hangs after it has paid. */
const PAY = `import { appendFile } from 'node:fs/promises';
import { defineTool } from 'capstan/kit';
import { z } from 'zod';

export const pay = defineTool({
  name: 'pay',
  description: 'Pays a bill.',
  input: z.object({ bill: z.string() }),
  effect: 'unsafe',
  run: async ({ bill }) => {
    await appendFile(process.env['PAYMENTS'], bill + '\\n');
    await new Promise(() => undefined);
  },
});
`;
const CASHIER = `import { defineAgent } from 'capstan/kit';
import { pay } from '../tools/pay.ts';

export const cashier = defineAgent({ name: 'cashier', instruction: 'You pay bills.', tools: [pay] });
`;

let folder: string;
let dev: Development;
let url: string;

/** Runs the installed command line in the folder of the project. */
async function capstan(...args: string[]): Promise<string> {
  const command = join(folder, CLI);
  const env = { ...process.env, CAPSTAN_BASE_URL: url };
  const { stdout } = await run(process.execPath, [command, ...args], { cwd: folder, env });
  return stdout;
}

/** Starts `capstan dev` in the folder `cwd`, and waits until all is up or it has ended. */
async function develop(cwd: string): Promise<Development> {
  const port = await reservePort();
  const { PATH, HOME } = process.env;
  const started = spawn(process.execPath, [join(folder, CLI), 'dev'], {
    cwd,
    env: { PATH, HOME, PORT: String(port) },
  });
  const development = { url: `http://127.0.0.1:${port}`, output: '', process: started };
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk) => (development.output += String(chunk)));
  await waitFor(
    () =>
      Promise.resolve(development.output.includes('Ctrl-C stops everything') || started.exitCode !== null),
    { description: 'capstan dev', timeoutMs: 2 * MINUTES },
  );
  return development;
}

/** Sends the signal, and waits until the process has ended. */
async function end(started: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (started.exitCode !== null || started.signalCode !== null) return;
  const ended = new Promise((resolve) => started.once('exit', resolve));
  started.kill(signal);
  await ended;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-'));
  await run('npm', ['run', '--silent', 'build:package'], { cwd: ROOT });
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: join(ROOT, 'packages/capstan'),
  });
  // As `npm init -y` writes it.
  await writeFile(
    join(folder, 'package.json'),
    '{"name": "project", "version": "1.0.0", "type": "commonjs"}',
  );
  const packages = [`./${stdout.trim()}`, 'zod', 'htmlparser2'];
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: folder });
  await mkdir(join(folder, 'capstan/tools'), { recursive: true });
  await mkdir(join(folder, 'capstan/agents'), { recursive: true });
  await writeFile(join(folder, 'capstan/tools/greet.ts'), TOOL('Hello'));
  await writeFile(join(folder, 'capstan/agents/host.ts'), AGENT);
  dev = await develop(folder);
  url = dev.url;
}, 6 * MINUTES);

afterAll(async () => {
  await end(dev.process, 'SIGINT');
  await rm(folder, { recursive: true });
});

it('starts everything from the tarball, and names the console', () => {
  expect(dev.output).toContain(`${url}/console/`);
});

it('runs a tool of the project, and the changed tool after a change', async () => {
  expect(await capstan('run', 'host', 'Greet "Ada"', '--wait')).toContain('Hello Ada');
  await writeFile(join(folder, 'capstan/tools/greet.ts'), TOOL('Good morning'));
  await waitFor(() => Promise.resolve(/restarted for .*greet\.ts/.test(dev.output)), {
    description: 'the restart',
    timeoutMs: MINUTES,
  });
  expect(await capstan('run', 'host', 'Greet "Ada"', '--wait')).toContain('Good morning Ada');
});

it('migrates and loads a domain that is added while it runs', async () => {
  const guide = await readFile(join(ROOT, 'docs/guides/projects.md'), 'utf8');
  const files = [...shownFiles(guide)].filter(([path]) => path.startsWith('capstan/domains/'));
  for (const [path, text] of [...files, ['capstan/agents/scribe.ts', SCRIBE] as const]) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  // A change while it restarts is one more restart.
  const operations = async (): Promise<string> =>
    fetch(`${url}/openapi.json`).then(
      (answer) => answer.text(),
      () => '',
    );
  await waitFor(async () => (await operations()).includes('"getNote"'), {
    description: 'the route of the domain',
    timeoutMs: MINUTES,
  });
  const keep = async (text: string): Promise<string> => {
    const answer = await capstan('run', 'scribe', `Keep note "${text}"`, '--wait', '--json');
    return /"noteId": ?"([\w-]+)"/.exec(answer)?.[1] ?? '';
  };
  const id = await keep('Buy milk');
  const note = { id, number: 1, text: 'Buy milk' };
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}/api/notes/${path}`)).json();
  expect(await get(`${id}/`)).toEqual(note);
  const later = { id: await keep('Buy bread'), number: 2, text: 'Buy bread' };
  const first = await get('?limit=1');
  expect(first).toMatchObject({ data: [later], has_more: true });
  const { next_cursor: cursor } = first as { readonly next_cursor: string };
  expect(await get(`?limit=1&cursor=${cursor}`)).toMatchObject({ data: [note], has_more: false });
  expect((await fetch(`${url}/api/notes/${id.replace(/.$/, 'g')}/`)).status).toBe(400);
});

it('has nothing of the example domains', async () => {
  const document = await (await fetch(`${url}/openapi.json`)).text();
  expect(document).not.toMatch(/order-request|support-ticket/);
});

it(
  'pays once when `capstan start` is killed in the middle of an unsafe tool',
  async () => {
    await writeFile(join(folder, 'capstan/tools/pay.ts'), PAY);
    await writeFile(join(folder, 'capstan/agents/cashier.ts'), CASHIER);
    const payments = join(folder, 'payments');
    const paid = (): Promise<string> => readFile(payments, 'utf8').catch(() => '');
    const database = await createTestDatabase();
    const port = await reservePort();
    const { PATH, HOME } = process.env;
    const simulator = `http://127.0.0.1:${/on port (\d+): without OPENAI_API_KEY/.exec(dev.output)?.[1]}/v1`;
    const env = {
      ...{ PATH, HOME, PORT: String(port), PAYMENTS: payments, DATABASE_URL: database.url, AUTH: 'off' },
      ...{ OPENAI_BASE_URL: simulator, OPENAI_API_KEY: 'simulated', DEFAULT_MODEL: 'sim-caller' },
    };
    const base = `http://127.0.0.1:${port}`;
    const command = (...args: string[]) =>
      run(process.execPath, [join(folder, CLI), ...args], { cwd: folder, env });
    const all: ChildProcess[] = [];
    let output = '';
    const start = async (): Promise<ChildProcess> => {
      const started = spawn(process.execPath, [join(folder, CLI), 'start', 'capstan'], { cwd: folder, env });
      all.push(started);
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (chunk) => (output += String(chunk)));
      const isReady = () =>
        fetch(`${base}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await waitFor(async () => started.exitCode !== null || (await isReady()), {
        description: 'capstan start',
      });
      if (started.exitCode !== null) throw new Error(`capstan start ended. It wrote:\n${output}`);
      return started;
    };
    const settled = async () => {
      const answer = await fetch(`${base}/api/executions/${id}/`);
      return (await answer.json()) as { readonly status: string };
    };
    let id = '';
    try {
      await command('migrate', '--project', 'capstan', '--', '--seed');
      const first = await start();
      const { stdout } = await command('run', 'cashier', 'Pay "May"', '--json', '--base-url', base);
      ({ id } = JSON.parse(stdout) as { readonly id: string });
      await waitFor(async () => (await paid()) !== '', { description: 'the payment' });
      await end(first, 'SIGKILL');

      await start();
      await waitFor(async () => (await settled()).status === 'failed', { description: 'the end' });
      expect(await settled()).toMatchObject({ error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
      expect(await paid()).toBe('May\n');
    } finally {
      await Promise.all(all.map((started) => end(started, 'SIGTERM')));
      await database.drop();
    }
  },
  3 * MINUTES,
);

/** A copy of an example beside the installed package. */
async function copyOf(example: string): Promise<string> {
  const copy = join(folder, example);
  await cp(join(ROOT, 'examples', example), copy, { recursive: true });
  return copy;
}

it.each(['ask-the-docs', 'order-entry', 'support-desk'])(
  'passes the tests of the example %s',
  async (example) => {
    const { stdout } = await run('npm', ['test'], { cwd: await copyOf(example) });
    expect(stdout).toMatch(/^. fail 0$/m);
    expect(stdout).toMatch(/^. pass [1-9]\d*$/m);
  },
);

it(
  'runs the support desk of the examples',
  async () => {
    const desk = await copyOf('support-desk');
    const running = await develop(desk);
    try {
      const env = { ...process.env, CAPSTAN_BASE_URL: running.url };
      const words = ['start', '--', 'The lamp of order A-1001 arrived broken, please refund it.'];
      const { stdout } = await run('npm', words, { cwd: desk, env });
      expect(stdout).toMatch(/agreed: refund .*\n.*receipt R-1\.\n/);
      const document = await (await fetch(`${running.url}/openapi.json`)).text();
      expect(document).toContain('"/api/support-tickets/{id}/"');
    } finally {
      await end(running.process, 'SIGINT');
    }
  },
  4 * MINUTES,
);

it('refuses a folder that is not there, and makes none', async () => {
  const missing = join(folder, 'missing');
  await expect(capstan('dev', missing)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`There is no folder ${missing}.`),
  });
  await expect(stat(missing)).rejects.toThrow('ENOENT');
});
