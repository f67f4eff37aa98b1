import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { ExecutionView } from '#libs/payloads';
import { markRestored, WebhookEndpointStore } from '#libs/persistence';
import { programFile } from '../../../../scripts/build/programs.ts';
import { startApi } from '../../api/api-fixture.js';
import { ask } from '../../api/http-client.js';
import { charging, ChargingWorld, RECEIPT, silent, UNKNOWN } from '../charging-world.js';

/** Timeout of the tool (ms), longer than the run after the restore takes on a busy machine. */
const LONG_MS = 120_000;
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

let world: ChargingWorld;
beforeAll(async () => {
  world = await ChargingWorld.open();
  const endpoint = { url: 'https://example.test/hook', events: ['execution.failed' as const] };
  await new WebhookEndpointStore(world.worker.dataSource).create('default', endpoint, () => 'sealed');
});
afterAll(() => world.worker.close());

const mark = (): Promise<number> => markRestored(world.worker.dataSource);
const find = async (id: string): Promise<ExecutionView | null> => world.worker.executions.find('default', id);

it('an execution that a restored database holds unsettled is marked, one that had ended is not', async () => {
  const done = charging('halt', () => Promise.resolve(RECEIPT));
  const settled = await world.submit(done);
  await world.run(settled, done);
  const parked = await world.submit(silent());
  await world.run(parked, silent());
  const queued = await world.submit(done);
  const running = await world.submit(done);
  await world.query(
    `UPDATE execution SET status = 'running', attempt = 1, epoch = 1, claim_token = gen_random_uuid(), lease_owner = 'lost',
            started_at = now(), lease_expires_at = now() - interval '1 second' WHERE id = $1`,
    running,
  );

  const env = { DATABASE_URL: world.worker.databaseUrl };
  const { stdout } = await execa(process.execPath, [join(ROOT, programFile('migrate')), '--restored'], {
    env,
  });
  expect(stdout.split('\n')).toEqual([
    'database is up to date',
    'unsettled executions marked as restored: 3',
  ]);

  const api = await startApi({ DATABASE_URL: world.worker.databaseUrl });
  try {
    for (const id of [parked, queued, running])
      expect((await ask(api.url, `/api/executions/${id}/`)).body).toMatchObject({
        restored_at: expect.stringMatching(/Z$/),
      });
    const { body } = await ask(api.url, '/api/executions/');
    expect((body as unknown as { data: ExecutionView[] }).data).toContainEqual(
      expect.objectContaining({ id: settled, status: 'completed', restored_at: null }),
    );
  } finally {
    await api.app.close();
  }
});

it('the latest restore counts, and what is accepted after it is not marked', async () => {
  const tool = charging('halt', () => Promise.resolve(RECEIPT));
  const id = await world.submit(tool);
  await mark();
  const first = await find(id);
  const later = await world.submit(tool);
  expect(await find(later)).toMatchObject({ restored_at: null });
  await mark();
  const second = await find(id);
  expect(Date.parse(second?.restored_at ?? '')).toBeGreaterThan(Date.parse(first?.restored_at ?? ''));
});

it('an unsafe call that was begun when the backup was made is not repeated, and the webhook of the end says the restore', async () => {
  let calls = 0;
  const tool = charging(
    'halt',
    async ({ executionId }) => {
      calls += 1;
      // The database is restored here: the running attempt belongs to the lost state.
      await mark();
      await world.takeOver(executionId, tool);
      return RECEIPT;
    },
    LONG_MS,
  );
  const id = await world.submit(tool);
  await world.run(id, tool);

  const view = await find(id);
  expect(view).toMatchObject({ ...UNKNOWN, restored_at: expect.any(String) });
  expect(calls).toBe(1);
  const [delivery] = await world.query<{ body: string }>(
    `SELECT body FROM webhook_delivery WHERE execution_id = $1`,
    id,
  );
  expect(JSON.parse(delivery?.body ?? '{}')).toMatchObject({ data: { id, restored_at: view?.restored_at } });
});

it('an unsafe call that the restored database had not begun runs, in an execution that is marked', async () => {
  let calls = 0;
  const tool = charging('halt', () => {
    calls += 1;
    return Promise.resolve(RECEIPT);
  });
  const id = await world.submit(tool);
  await mark();
  expect(await world.run(id, tool)).toMatchObject({ status: 'completed', restored_at: expect.any(String) });
  expect(calls).toBe(1);
});
