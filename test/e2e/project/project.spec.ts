import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
let folder: string;
let payments: string;
let clerk: number;
let letterDesk: number;
let seeded: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-'));
  payments = join(folder, 'payments');
  deployment = await Deployment.open('postgres', { PROJECT, PAYMENTS: payments, LEASE_SECONDS: '5' });
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: deployment.databaseUrl,
    PROJECT,
    DEFAULT_MODEL: 'sim-script',
  };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, programFile('migrate')), '--seed'],
    { env },
  );
  seeded = stderr;
});
afterAll(async () => {
  await deployment.close();
  await rm(folder, { recursive: true });
});

it('stores the agents of the project, and names the line of a file that throws', async () => {
  expect(seeded).toMatch(/ProjectWarning: tools\/broken\.ts:8: TypeError: Cannot read properties of null/);
  const service = await deployment.startWhole();
  const agents = await new ApiClient(service.url).get<{ id: number; name: string }[]>('/api/agents/');
  clerk = agents.find(({ name }) => name === 'clerk')?.id ?? 0;
  letterDesk = agents.find(({ name }) => name === 'letter_desk')?.id ?? 0;
  expect(clerk).toBeGreaterThan(0);
  await service.process.stop();
});

it.each(['api', 'worker', 'service', 'migrate'] as const)(
  'the %s does not start with a folder that is not there, and says so without a stack',
  async (program) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: deployment.databaseUrl, PROJECT: '/not/there' };
    const started = promisify(execFile)(process.execPath, [join(ROOT, programFile(program))], { env });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]*PROJECT: there is no folder \/not\/there\n$/),
    });
  },
);

it('runs a tool of the project, whose failure the model reads, and a pipeline', async () => {
  const service = await deployment.startWhole();
  const api = new ApiClient(service.url);
  const count = (text: string): object => ({ calls: [{ name: 'count_letters', arguments: { text } }] });
  const view = await submit(api, scripted(count('four'), count(''), { text: 'done' }));
  expect(await api.settled(view.id)).toMatchObject({ status: 'completed' });
  const steps = JSON.stringify(await api.get(`/api/executions/${view.id}/steps/`));
  expect(steps).toContain('"letters":4');
  expect(steps).toContain('"tenantId":"default"');
  expect(steps).toContain('The text is empty.');
  const counted = await api.settled((await submit(api, 'seven', letterDesk)).id);
  expect(counted.result?.message.content).toBe('It has 5 letters.');
  await service.process.stop();
});

it('does not repeat an unsafe tool of the project when the process is killed in the middle of it', async () => {
  const service = await deployment.startWhole();
  const view = await submit(
    new ApiClient(service.url),
    scripted({ calls: [{ name: 'pay', arguments: { amount: 3 } }] }, { text: 'paid' }),
  );
  await waitFor(async () => (await readPayments()).length === 1, { description: 'the payment' });
  await service.process.kill();
  const next = await deployment.startWhole();
  const settled = await new ApiClient(next.url).settled(view.id);
  expect(settled).toMatchObject({ status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
  expect(await readPayments()).toEqual([expect.stringMatching(/ 3$/)]);
});

async function submit(api: ApiClient, input: string, agent = clerk): Promise<ExecutionView> {
  const response = await api.post(`/api/agents/${agent}/execute/`, { input });
  expect(response.status).toBe(202);
  return (await response.json()) as ExecutionView;
}

async function readPayments(): Promise<string[]> {
  const text = await readFile(payments, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
