import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reservePort } from '../../support/services/reserve-port.js';
import { programFile } from '../../../scripts/build/programs.ts';
import { ApiClient } from '../../support/services/api-client.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { ServiceProcess } from '../../support/services/service-process.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';

const API = join(import.meta.dirname, '..', '..', '..', programFile('api'));

let database: TestDatabase;

beforeAll(async () => {
  database = await createSeededDatabase();
});

afterAll(async () => {
  await database.drop();
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the API with this environment only, until it ends by itself. */
async function run(env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, [API], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

function replaced(url: string, change: (parsed: URL) => void): string {
  const parsed = new URL(url);
  change(parsed);
  return parsed.href;
}

it('a misspelt variable is warned of when the API starts, without its value', async () => {
  const port = await reservePort();
  const url = replaced(database.url, (parsed) => {
    parsed.port = String(port);
  });

  const { stdout } = await run({ DATABASE_URL: url, OPENAI_APIKEY: 'sk-canary', NODE_OPTIONS: '' });

  expect(JSON.parse(stdout)).toMatchObject({
    level: 'warn',
    variable: 'OPENAI_APIKEY',
    setting: 'OPENAI_API_KEY',
  });
  expect(stdout).not.toContain('sk-canary');
});

describe('an API that cannot start says why in one line and exits 1', () => {
  it('when its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;

    // Without the projects of the tests the API would warn of their migrations first.
    const { PROJECT = '' } = process.env;
    const ended = await run({ DATABASE_URL: database.url, PORT: String(port), PROJECT });

    other.close();
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `cannot start: the port is taken (port ${port})\n`,
    });
  });

  it('when nothing listens at DATABASE_URL', async () => {
    const port = await reservePort();
    const url = replaced(database.url, (parsed) => {
      parsed.port = String(port);
      parsed.password = 's3cret';
    });

    const ended = await run({ DATABASE_URL: url });

    const stderr = `cannot start: DATABASE_URL: nothing listens there (port ${port})\n`;
    expect(ended).toEqual({ code: 1, stdout: '', stderr });
  });

  it('when there is no such database', async () => {
    const url = replaced(database.url, (parsed) => (parsed.pathname = '/nowhere'));

    const ended = await run({ DATABASE_URL: url });

    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: 'cannot start: DATABASE_URL: there is no such database\n',
    });
  });

  it('when the database is not migrated', async () => {
    const empty = await createTestDatabase();

    const ended = await run({ DATABASE_URL: empty.url });

    await empty.drop();
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^cannot start: DATABASE_URL: the database lacks (\d+) of \1 migrations; run "npx capstan migrate", or "npm run db:migrate" in a checkout\n$/,
    );
  });

  it('when nothing listens at REDIS_URL', async () => {
    const ended = await run({
      DATABASE_URL: database.url,
      REDIS_URL: `redis://127.0.0.1:${await reservePort()}`,
    });

    const stderr = 'cannot start: REDIS_URL: Redis does not answer there\n';
    expect(ended).toMatchObject({ code: 1, stderr });
  });

  it('when its configuration has faults, with a line for each', async () => {
    const ended = await run({ PORT: 'many', AUTH: 'maybe' });

    expect(ended).toMatchObject({ code: 1, stdout: '' });
    const [headline, ...faults] = ended.stderr.trim().split('\n');
    expect(headline).toBe('cannot start: the environment is not usable:');
    expect(faults.map((fault) => /^ {2}- (\w+)/.exec(fault)?.[1])).toEqual(['PORT', 'AUTH', 'DATABASE_URL']);
  });

  it('when it would be open to others without keys', async () => {
    const ended = await run({ DATABASE_URL: database.url, HOST: '0.0.0.0' });

    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('AUTH: "off" is allowed on loopback only');
  });
});

describe('an API in production without keys', () => {
  it('does not start unless that is asked for by name', async () => {
    const ended = await run({ DATABASE_URL: database.url, NODE_ENV: 'production' });

    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/AUTH: "off" under NODE_ENV=production .*AUTH_OFF_IN_PRODUCTION=true/);
  });

  it('says so loudly when it starts', async () => {
    const port = await reservePort();
    const env = {
      DATABASE_URL: database.url,
      PORT: String(port),
      NODE_ENV: 'production',
      AUTH_OFF_IN_PRODUCTION: 'true',
      LOG_LEVEL: 'warn',
    };

    const service = await ServiceProcess.start('api', env, `http://127.0.0.1:${port}/readyz`);

    await service.stop();
    expect(service.log).toContain('AUTH=off in production: every program of this machine acts');
  });
});

describe('an API as it is built', () => {
  it('shows its document, the documentation and the API reference with their files', async () => {
    const port = await reservePort();
    const url = `http://127.0.0.1:${port}`;
    const service = await ServiceProcess.start(
      'api',
      { DATABASE_URL: database.url, PORT: String(port) },
      `${url}/readyz`,
    );
    const pages = await Promise.all(
      ['/docs/', '/docs/guides/webhooks.html', '/docs/api/', '/openapi.json'].map(async (path) => {
        const answer = await fetch(`${url}${path}`);
        return { path, status: answer.status, text: await answer.text() };
      }),
    );
    const scripts = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => new URL(src ?? '', `${url}${path}`)),
    );
    const answers = await Promise.all(
      scripts.map(async (script) => [script.pathname, (await fetch(script)).status]),
    );
    await service.stop();
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(scripts.length).toBeGreaterThan(3);
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
  });
});

describe('an API that is asked to stop', () => {
  it('ends its event streams in order, so that their clients go on elsewhere, and exits 0', async () => {
    const port = await reservePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { DATABASE_URL: database.url, PORT: String(port) };
    const service = await ServiceProcess.start('api', env, `${url}/readyz`);
    const client = new ApiClient(url);
    const { id } = await client.submit({ input: 'x' });
    const stream = await fetch(`${url}/api/executions/${id}/events/`);
    const waiting = client.post('/api/agents/1/execute/', { input: 'x' }, { prefer: 'wait=60' });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();

    const isAccepted = async (): Promise<boolean> =>
      (await client.get<{ data: unknown[] }>('/api/executions/')).data.length === 2;
    await waitFor(isAccepted, { description: 'the second submit to be accepted' });

    const code = await service.stop();

    expect(code).toBe(0);
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
    expect((await waiting).status).toBe(202);
  });
});
