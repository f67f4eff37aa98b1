import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { SCOPES } from '#libs/persistence';
import { bundlePackage } from '../../../scripts/build/bundle-package.ts';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { reservePort } from '../../support/services/reserve-port.js';
import { waitFor } from '../../support/services/wait-for.js';
import { createKey } from '../api/api-keys.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { park, settleAndTell, type Ending } from '../api/settle.js';

const ROOT = join(import.meta.dirname, '../../..');

let database: TestDatabase;
let api: RunningApi;
let folder: string;
let key: string;

beforeAll(async () => {
  // Below the root, where Node finds the packages that it imports.
  folder = join(ROOT, 'dist/test', `package-${process.pid}`);
  await mkdir(folder, { recursive: true });
  await copyFile(join(ROOT, 'packages/capstan/package.json'), join(folder, 'package.json'));
  await bundlePackage(ROOT, join(folder, 'dist'));
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  key = await createKey(api.dataSource, SCOPES);
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Runs the built program as a shell does. */
async function capstan(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [join(folder, 'dist/cli.js'), ...argv], {
    env: { CAPSTAN_BASE_URL: api.url, CAPSTAN_API_KEY: key, ...environment },
    reject: false,
  });
  return { exitCode, stdout, stderr };
}

/** Ends the execution of this input in place of a worker, once it is there. */
async function end(input: string, ending: Ending): Promise<void> {
  const id = await waitFor(
    async () => {
      const rows = await api.dataSource.query<{ id: string }[]>(
        `SELECT id FROM execution WHERE request ->> 'input' = $1`,
        [input],
      );
      return rows[0]?.id;
    },
    { description: `the execution of ${input}` },
  );
  await api.events.append(id, 2, [{ event: 'text_delta', data: { content: 'Half ', round: 1 } }]);
  await settleAndTell(api, id, 3, ending);
}

describe('the command line', () => {
  it.each([
    [{ content: 'Here it is.' }, 0, 'Here it is.'],
    [
      { status: 'failed', error: { code: 'SDK_ERROR', message: 'the model is away' } },
      3,
      'the model is away (SDK_ERROR)',
    ],
    [{ status: 'incomplete', content: 'As far as' }, 4, 'As far as'],
    [{ status: 'cancelled' }, 5, 'was cancelled'],
  ] as const)('waits for the end %j with exit code %s', async (ending, exitCode, answer) => {
    const input = `wait ${exitCode}`;
    const [ran] = await Promise.all([capstan(['run', '1', input, '--wait']), end(input, ending)]);
    expect(ran).toMatchObject({ exitCode, stdout: expect.stringContaining(answer) });
  });

  it('follows: text on the output, the rest beside it, or events as JSON', async () => {
    const ending = { content: 'Half and whole' };
    const [text] = await Promise.all([capstan(['run', '1', 'follow', '--follow']), end('follow', ending)]);
    expect(text).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Half /) });
    expect(text.stderr).toContain('Execution ');
    const [json] = await Promise.all([
      capstan(['run', '1', 'json', '--follow', '--json']),
      end('json', ending),
    ]);
    const events = json.stdout.split('\n').map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual(['status', 'text_delta', 'result']);
  });

  it('ends where a person is needed, and decides', async () => {
    const { stdout: id } = await capstan(['run', '1', 'approve']);
    await park(api.dataSource, id);
    await api.events.append(id, 2, [{ event: 'status', data: { status: 'requires_action', attempt: 1 } }]);
    const watched = await capstan(['watch', id]);
    expect(watched).toMatchObject({
      exitCode: 6,
      stdout: expect.stringContaining('charge asks to be allowed'),
    });
    const approved = await capstan(['approve', id, '--all', '--person', 'anna', '--json']);
    expect(JSON.parse(approved.stdout)).toMatchObject({ id, required_action: null });
  });

  it('lists, and says that nothing is there beside the output', async () => {
    const { stdout } = await capstan(['runs', '--json', '-n', '3']);
    expect(stdout.split('\n').map((line) => typeof (JSON.parse(line) as { id: unknown }).id)).toEqual(
      Array(3).fill('string'),
    );
    const none = await capstan(['deliveries']);
    expect(none.stdout.split('\n')).toHaveLength(1);
    expect(none.stderr).toBe('Nothing found.');
    for (const command of [['keys'], ['tenants'], ['usage'], ['usage', '--by', 'day']]) {
      expect(await capstan(command)).toMatchObject({ exitCode: 0 });
    }
  });

  it('examines the service', async () => {
    const well = await capstan(['doctor']);
    expect(well).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('tenant default') });
    const keyless = await capstan(['doctor'], { CAPSTAN_API_KEY: 'cap_wrong' });
    expect(keyless).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('Set CAPSTAN_API_KEY') });
    const gone = await capstan(['doctor'], { CAPSTAN_BASE_URL: 'http://127.0.0.1:1' });
    expect(gone).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('cannot be reached') });
  });

  it('names the request that was refused, and the service that is not there', async () => {
    const refused = await capstan(['watch', '00000000-0000-4000-8000-000000000000']);
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/NOT_FOUND[^]*Request /),
    });
    const gone = await capstan(['tenants', '--base-url', `http://127.0.0.1:${await reservePort()}`]);
    expect(gone).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('ECONNREFUSED') });
  });
});
