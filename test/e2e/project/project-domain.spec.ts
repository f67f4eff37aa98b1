import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { programFile } from '../../../scripts/build/programs.ts';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROJECT = join(ROOT, 'test/fixtures/project');

let deployment: Deployment;
let api: ApiClient;
let agent: number;

/** Runs the migration program with the project of the folder; returns its output. */
async function migrateWith(project: string, ...args: string[]): Promise<string> {
  const { PATH } = process.env;
  const env = { PATH, DATABASE_URL: deployment.databaseUrl, PROJECT: project, DEFAULT_MODEL: 'sim-script' };
  const program = join(ROOT, programFile('migrate'));
  return (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout;
}

const migrate = (...args: string[]): Promise<string> => migrateWith(PROJECT, ...args);

beforeAll(async () => {
  deployment = await Deployment.open('postgres', { PROJECT });
  expect(await migrate('--seed')).toContain('ParcelsCreateParcel1770000000001, ParcelsAddSeal1770000000002');
  const service = await deployment.startWhole();
  api = new ApiClient(service.url);
  const agents = await api.get<{ id: number; name: string }[]>('/api/agents/');
  agent = agents.find(({ name }) => name === 'parcelAgent')?.id ?? 0;
});
afterAll(() => deployment.close());

async function run(body: object): Promise<ExecutionView> {
  const accepted = await api.post(`/api/agents/${agent}/execute/`, body);
  expect(accepted.status).toBe(202);
  return api.settled(((await accepted.json()) as ExecutionView).id);
}
const asking = (tool: string, input: object): string =>
  scripted({ calls: [{ name: tool, arguments: input }] }, { text: 'Done.' });
const patch = (path: string, body: object): Promise<Response> =>
  fetch(`${api.url}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

it('applies the staged change of a tool, keeps its data, and answers by its routes', async () => {
  const view = await run({ input: asking('book_parcel', { destination: 'Osaka' }) });
  const code = `P-${view.id}`;
  expect(view.result?.message.data).toEqual({ parcelCode: code });
  expect(await api.get(`/api/parcels/${code}/`)).toEqual({ code, destination: 'Osaka', seal: null });
  const page = await api.get<{ data: { code: string }[] }>('/api/parcels/?limit=1');
  expect(page).toMatchObject({ data: [{ code: expect.stringMatching(/^P-/) }], has_more: true });
});

it('lets a tool read the database', async () => {
  const view = await run({ input: asking('count_parcels', {}) });
  expect(JSON.stringify(await api.get(`/api/executions/${view.id}/steps/`))).toMatch(/"parcels":[1-9]/);
});

it('fails a tool that adds data the domain does not declare', async () => {
  const view = await run({ input: asking('mislabel_parcel', {}) });
  const steps = await api.get<{ data: object[] }>(`/api/executions/${view.id}/steps/`);
  expect(steps.data).toMatchObject([{ status: 'failed', error: expect.stringContaining('parcelLabel') }]);
});

it('shows the model what was sent along and looked up, and not what the domain hides', async () => {
  await run({ input: scripted({ text: 'ok' }), additional_data: { counter: 'C9', floorPlan: 'a-canary' } });
  const seen = await (await fetch(`${deployment.simulatorUrl}/__control/requests`)).text();
  expect(seen).toContain('counter C9 has');
  expect(seen).not.toContain('a-canary');
});

it('documents its routes, and refuses requests as all others do', async () => {
  const document = await api.get<{ paths: Record<string, object>; components: { schemas: object } }>(
    '/openapi.json',
  );
  expect(document.paths['/api/parcels/{code}/']).toMatchObject({
    get: { operationId: 'getParcel' },
    patch: { operationId: 'redirectParcel' },
  });
  expect(document.components.schemas).toMatchObject({
    AdditionalData: { properties: { counter: { maxLength: 20 } } },
  });
  const get = (path: string): Promise<Response> => fetch(`${api.url}/api/parcels/${path}/`);
  expect(await (await get('P-nowhere')).json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await (await get('X')).json()).toMatchObject({ status: 400, errors: [{ parameter: 'code' }] });
  expect(await (await patch('/api/parcels/P-example/', {})).json()).toMatchObject({
    status: 400,
    errors: [{ pointer: '#/destination' }],
  });
  expect(await (await patch('/api/parcels/P-example/', { destination: 'Nara' })).json()).toMatchObject({
    destination: 'Nara',
  });
});

it('tries a task until it is done, and refuses what its result forbids', async () => {
  const seal = (kind: string): Promise<Response> => api.post('/api/parcels/P-example/seal/', { seal: kind });
  expect(await (await seal('wax')).json()).toMatchObject({
    status: 400,
    errors: [{ pointer: '#/seal', detail: 'must not be of wax' }],
  });
  expect((await seal('lead')).status).toBe(202);
  await waitFor(
    async () => (await api.get<{ seal: string | null }>('/api/parcels/P-example/')).seal === 'lead',
    { description: 'the parcel to be sealed' },
  );
  expect(await (await patch('/api/parcels/P-example/', { destination: 'Kobe' })).json()).toMatchObject({
    status: 409,
    code: 'PARCEL_SEALED',
  });
});

it('migrates and seeds again without harm', async () => {
  expect(await migrate('--seed')).toContain('database is up to date');
  expect(await migrate('--check')).toContain('migrations and entities agree');
  expect(await api.get('/api/parcels/P-example/')).toMatchObject({ seal: 'lead' });
});

/** A project of its own, whose definitions are the plain objects that the kit makes. */
async function projectOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

it.each([
  [
    'a migration that PostgreSQL refuses, with its file',
    {
      'domains/letters/index.mjs': `export const letters = { kind: 'capstan/domain', name: 'letters' };`,
      'domains/letters/migrations/1770000000003-create.sql': 'CREATE TABEL letters.letter ();',
    },
    'domains/letters/migrations/1770000000003-create.sql: syntax error at or near "TABEL"',
  ],
  [
    'an agent with an unknown model, with both names',
    {
      'agents/guide.mjs': `export default { kind: 'capstan/agent', name: 'guide', instruction: 'x', model: 'haikuu' };`,
    },
    'the agent "guide" names the model "haikuu"',
  ],
])('does not migrate %s', async (_case, files, message) => {
  const folder = await projectOf(files);
  const migrated = migrateWith(folder, '--seed');
  await expect(migrated).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  await rm(folder, { recursive: true });
});
