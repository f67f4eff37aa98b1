import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as listed from '#libs/domains';
import type { ExecutionView } from '#libs/payloads';
import pg from 'pg';
import { programFile, type ProgramName } from '../../../scripts/build/programs.ts';
import { chosen, whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const ALL = Object.values(listed);
const NAMES = ALL.map(({ name }) => name).join(', ');

let database: TestDatabase;

/** Runs a program of the build to its end, with this environment only. */
async function run(
  program: ProgramName,
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, programFile(program)), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: stdout + stderr };
}

/** Migrates the database for these domains; returns its tables. */
async function migrate(DOMAINS: string): Promise<string[]> {
  const { code, output } = await run('migrate', { DATABASE_URL: database.url, DOMAINS }, '--seed');
  if (code !== 0) throw new Error(output);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

const tablesOf = (names: readonly string[]): string[] =>
  names.filter((name) => /^(order_|support_)/.test(name));

beforeAll(async () => {
  database = await createTestDatabase();
});

it.each(chosen(['api', 'worker', 'service', 'migrate'] as const, (program) => program === 'migrate'))(
  'the %s does not start with a domain that is not there, and says which are',
  async (program) => {
    const { code, output } = await run(program, { DATABASE_URL: database.url, DOMAINS: 'order-entry,shop' });
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining(`DOMAINS: there is no domain "shop"; there are ${NAMES}`),
    });
  },
);

describe('a service that names no domain', () => {
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    expect(tablesOf(await migrate(''))).toEqual([]);
    deployment = await Deployment.on(database, 'postgres', { DOMAINS: '', PROJECT: '' });
    api = new ApiClient((await deployment.startWhole()).url);
  });
  afterAll(() => deployment.close());

  it('has none of their tools, routes, codes, data and agents', async () => {
    const tools = await api.get<{ data: { name: string }[] }>('/api/tools/?limit=100');
    const theirs = ALL.flatMap((domain) => domain.tools({ manager: {} as never })).map(({ name }) => name);
    expect(tools.data.filter(({ name }) => theirs.includes(name))).toEqual([]);
    const document = await (await fetch(`${api.url}/openapi.json`)).text();
    for (const { routes, lists, errors, messageData } of ALL) {
      for (const { path } of [...routes, ...lists]) expect(document).not.toContain(`"/api/${path}`);
      for (const code of Object.keys(errors)) expect(document).not.toContain(`"${code}"`);
      for (const key of Object.keys({ ...messageData.input, ...messageData.stored }))
        expect(document).not.toContain(`"${key}"`);
    }
    expect((await fetch(`${api.url}/api/order-requests/`)).status).toBe(404);
    expect(await api.get('/api/agents/')).toEqual([]);
  });

  it('takes any additional_data, gives it back, and shows it to no model', async () => {
    const post = async <Made>(path: string, body: object): Promise<Made> =>
      (await (await api.post(path, body)).json()) as Made;
    const llm = await post<{ id: number }>('/api/llms/', { name: 'script', model: 'sim-script' });
    const fields = { name: 'Plain', usecase_type: 'BASIC_CHAT', llm: llm.id };
    const agent = await post<{ id: number }>('/api/agents/', fields);
    const additional_data = { crm_id: 'crm-canary-17', order: { lines: [1, 2] } };
    const ask = (data: object): Promise<Response> =>
      api.post(`/api/agents/${agent.id}/execute/`, {
        input: scripted({ text: 'It works.' }),
        additional_data: data,
      });

    const accepted = (await (await ask(additional_data)).json()) as ExecutionView;
    expect(await api.settled(accepted.id)).toMatchObject({ status: 'completed' });
    const messages = await api.get<{ data: { role: string; data: object }[] }>(
      `/api/sessions/${accepted.session_uuid}/messages/`,
    );
    expect(messages.data.find(({ role }) => role === 'user')?.data).toEqual(additional_data);
    const asked = await (await fetch(`${deployment.simulatorUrl}/__control/requests`)).text();
    expect(asked).toContain('It works.');
    expect(asked).not.toContain('crm-canary-17');

    const long = await ask({ crm_id: 'x'.repeat(65_536) });
    expect([long.status, await long.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: [{ pointer: '#/additional_data', detail: expect.stringContaining('at most 65536 bytes') }],
      }),
    ]);
  });

  whenAllRun(() => {
    it('has what one adds once it is named, and its tables stay when it is not named any more', async () => {
      const tables = await migrate('order-entry');
      expect(tablesOf(tables)).toContain('order_request');
      expect(tablesOf(tables)).not.toContain('support_ticket');
      const { url } = await deployment.startApi({ DOMAINS: 'order-entry' });
      const named = new ApiClient(url);
      const tools = (await named.get<{ data: { name: string }[] }>('/api/tools/?limit=100')).data;
      expect(tools.map(({ name }) => name)).toContain('save_order_draft');
      expect(tools.map(({ name }) => name)).not.toContain('refund');
      expect(await named.get('/api/order-requests/')).toMatchObject({ data: [] });
      expect(await migrate('')).toEqual(tables);
    });
  });
});
