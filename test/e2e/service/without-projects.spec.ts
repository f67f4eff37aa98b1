import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import pg from 'pg';
import { orderEntry } from '../../../examples/order-entry/capstan/domains/order-entry/index.ts';
import { supportDesk } from '../../../examples/support-desk/capstan/domains/support-desk/index.ts';
import { programFile, type ProgramName } from '../../../scripts/build/programs.ts';
import { chosen, whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const ORDER_ENTRY = join(ROOT, 'examples/order-entry/capstan');
const DOMAINS = [orderEntry, supportDesk];

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

/** Migrates the database with this project; returns the schemas of its tables. */
async function migrate(PROJECT: string): Promise<string[]> {
  const env = { DATABASE_URL: database.url, PROJECT, DEFAULT_MODEL: 'sim-script' };
  const { code, output } = await run('migrate', env, '--seed');
  if (code !== 0) throw new Error(output);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT schemaname AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema|bullmq)' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
});

it.each(chosen(['api', 'worker', 'service', 'migrate'] as const, (program) => program === 'migrate'))(
  'the %s does not start with DOMAINS of earlier releases, and says what takes its place',
  async (program) => {
    const env = { DATABASE_URL: database.url, DOMAINS: 'order-entry' };
    const { code, output } = await run(program, env);
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('name their folders in PROJECT'),
    });
  },
);

describe('a service without a project', () => {
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    expect(await migrate('')).toEqual(['public']);
    deployment = await Deployment.on(database, 'postgres', { PROJECT: '' });
    api = new ApiClient((await deployment.startWhole()).url);
  });
  afterAll(() => deployment.close());

  it('has no word of the examples: no tools, routes, codes, data and agents', async () => {
    const tools = await api.get<{ data: { name: string }[] }>('/api/tools/?limit=100');
    const theirs = DOMAINS.flatMap((domain) => domain.tools ?? []).map(({ name }) => name);
    expect(tools.data.filter(({ name }) => theirs.includes(name))).toEqual([]);
    const document = await (await fetch(`${api.url}/openapi.json`)).text();
    for (const { routes = [], lists = [], errors = {}, messageData = {} } of DOMAINS) {
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
    it('has what a project adds once it is named, and its tables stay when it is not named any more', async () => {
      const schemas = await migrate(ORDER_ENTRY);
      expect(schemas).toEqual(['order_entry', 'public']);
      const { url } = await deployment.startApi({ PROJECT: ORDER_ENTRY });
      const named = new ApiClient(url);
      const tools = (await named.get<{ data: { name: string }[] }>('/api/tools/?limit=100')).data;
      expect(tools.map(({ name }) => name)).toContain('save_order_draft');
      expect(tools.map(({ name }) => name)).not.toContain('refund');
      expect(await named.get('/api/order-requests/')).toMatchObject({ data: [] });
      expect(await migrate('')).toEqual(schemas);
    });
  });
});

it('a program does not start where one of two projects is missing, and names its folder', async () => {
  const { code, output } = await run('migrate', {
    ...{ DATABASE_URL: database.url, PROJECT: `${ORDER_ENTRY},/not/there`, DEFAULT_MODEL: 'sim-script' },
  });
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^[^\n]*PROJECT: there is no folder \/not\/there \(a comma separates two folders\)\n$/,
    ),
  });
});

whenAllRun(() => {
  it.each([
    ['both projects', '', 'search_items', 'salesAgent'],
    ['one of two projects', ORDER_ENTRY, 'refund', 'supportAgent'],
  ])('a service without %s of its database refuses tools and agents of what is missing', async (...given) => {
    const [, project, tool, name] = given;
    const deployment = await Deployment.on(await createSeededDatabase(), 'postgres', { PROJECT: project });
    try {
      const api = new ApiClient((await deployment.startWhole()).url);
      const make = (builtin: string): Promise<Response> =>
        api.post('/api/agents/', {
          ...{ name: builtin, usecase_type: 'BASIC_CHAT', llm: 1, tools: { builtin: [builtin] } },
        });
      expect((await make('search_items')).status).toBe(project === '' ? 400 : 201);
      const wrong = await make(tool);
      expect([wrong.status, await wrong.json()]).toEqual([
        400,
        expect.objectContaining({
          detail: expect.stringMatching(/^tools\.builtin\.0: must be the name of a tool/),
        }),
      ]);
      const agents = await api.get<{ id: number; name: string }[]>('/api/agents/');
      const orphan = agents.find((agent) => agent.name === name);
      const accepted = await api.post(`/api/agents/${orphan?.id}/execute/`, { input: 'never said' });
      const view = await api.settled(((await accepted.json()) as ExecutionView).id);
      expect(view).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_ERROR' } });
    } finally {
      await deployment.close();
    }
  });
});
