import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDataSource,
  findMissingWorkers,
  isAnyWorkerPresent,
  reconnectPauseMs,
  releaseDeadWorkers,
  WorkerPresence,
} from '#libs/persistence';
import { FlakyProxy } from '../../support/services/flaky-proxy.js';
import { startBreakableProxy } from '../../support/services/breakable-proxy.js';
import { waitFor } from '../../support/services/wait-for.js';
import { LOOK_EVERY_MS, reapDeadWorkers } from '../../../apps/worker/src/housekeeping/housekeeping.tasks.js';
import { CLAIM_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
const started: WorkerPresence[] = [];
afterAll(async () => {
  // A presence that a failed test has left would announce itself for ever.
  await Promise.all(started.map((presence) => presence.stop()));
  await world.close();
});

interface Trouble {
  returned: number;
  readonly errors: unknown[];
}

/** A presence, optionally through a proxy, with counts of its returns and losses and its errors. */
function presenceOf(
  processName: string,
  options: { proxy?: FlakyProxy; databaseUrl?: string; answerWithinMs?: number } = {},
): { presence: WorkerPresence; trouble: Trouble } {
  const trouble: Trouble = { returned: 0, errors: [] };
  const presence = new WorkerPresence({
    databaseUrl: options.databaseUrl ?? options.proxy?.through(world.databaseUrl) ?? world.databaseUrl,
    processName,
    places: 1,
    answerWithinMs: options.answerWithinMs ?? 10_000,
    onError: (error) => trouble.errors.push(error),
  });
  presence.onReturn(() => {
    trouble.returned += 1;
  });
  started.push(presence);
  return { presence, trouble };
}

/** Number of presence rows of the processes with this name. */
async function countShown(processName: string, separator = '#'): Promise<number> {
  const [row] = await world.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM worker WHERE id LIKE $1 || '%'`,
    [processName + separator],
  );
  return row?.count ?? 0;
}

const NOT_PRESENT = expect.objectContaining({ code: 'NOT_PRESENT' });

async function runUnder(workerId: string): Promise<string> {
  const { id } = await world.accept();
  await world.claims.claim(id, { ...CLAIM_OPTIONS, workerId });
  return id;
}

const killPresence = () =>
  world.dataSource.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'capstan-presence' AND datname = current_database()`,
  );

const release = async (): Promise<number> =>
  releaseDeadWorkers(world.dataSource, await findMissingWorkers(world.dataSource));

it('leaves the leases of the living alone, and ends those of a worker that said goodbye or died', async () => {
  const { presence: living } = presenceOf('living');
  await living.start();
  const id = await runUnder(living.workerId);
  expect(await release()).toBe(0);
  expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });

  // A dead process does not announce itself again, so its connections stay cut.
  const proxy = await startBreakableProxy(world.databaseUrl);
  const { presence: dying } = presenceOf('dying', { databaseUrl: proxy.url });
  await dying.start();
  const orphan = await runUnder(dying.workerId);
  await living.stop();
  proxy.cut();
  await waitFor(async () => (await findMissingWorkers(world.dataSource)).length === 1, {
    description: 'the database to notice the death',
  });
  expect(await reapDeadWorkers(world.dataSource, sleep)).toBe(1);
  expect(await world.claims.claim(orphan, CLAIM_OPTIONS)).toMatchObject({
    kind: 'claimed',
    claim: { attempt: 2 },
  });
  await dying.stop();
  await proxy.close();
});

it('is known of some worker that runs executions, as long as one lives', async () => {
  const isKnown = () => isAnyWorkerPresent(world.dataSource);
  expect(await isKnown()).toBe(false);
  const { presence } = presenceOf('anybody');
  await presence.start();
  expect(await isKnown()).toBe(true);
  await world.dataSource.query(`UPDATE worker SET places = 0`);
  expect(await isKnown()).toBe(false);
  await world.dataSource.query(`UPDATE worker SET places = 1`);
  await presence.stop();
  expect(await isKnown()).toBe(false);
  // A dead worker leaves only its row.
  await world.dataSource.query(`INSERT INTO worker (id, places) VALUES ('dead#1', 1)`);
  expect(await isKnown()).toBe(false);
  await world.dataSource.query(`DELETE FROM worker`);
});

describe('a worker that lives and loses its connection', () => {
  it('returns under the same id before it counts as dead, and keeps its executions', async () => {
    const { presence, trouble } = presenceOf('blinking');
    await presence.start();
    const { workerId } = presence;
    const id = await runUnder(workerId);
    for (const times of [1, 2, 3]) {
      await killPresence();
      const [dead] = await Promise.all([
        reapDeadWorkers(world.dataSource, sleep),
        waitFor(() => trouble.returned === times, { description: 'the worker to come back' }),
      ]);
      expect([dead, presence.workerId]).toEqual([0, workerId]);
    }
    expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
    await presence.stop();
    expect(trouble.returned).toBe(3);
  });

  it('tries seven times within the grace, which lets others go on within a second', async () => {
    await world.dataSource.query(`INSERT INTO worker (id) VALUES ('gone')`);
    let graceMs = 0;
    const wait = (ms: number): Promise<void> => {
      graceMs += ms;
      return Promise.resolve();
    };
    expect(await reapDeadWorkers(world.dataSource, wait)).toBe(1);
    // The rest of the second is for the detection of the loss, the dispatch and the claim.
    expect(graceMs + LOOK_EVERY_MS).toBeLessThanOrEqual(900);
    const tries = Array.from({ length: 7 }, (_none, number) => reconnectPauseMs(number));
    expect(tries.reduce((sum, pause) => sum + pause)).toBeLessThan(graceMs);
  });

  it('gets a new grace period after an outage of the database', async () => {
    await world.dataSource.query(`INSERT INTO worker (id) VALUES ('away')`);
    const proxy = await startBreakableProxy(world.databaseUrl);
    const dataSource = await createDataSource({ url: proxy.url }).initialize();
    let waits = 0;
    const wait = (): Promise<void> => {
      waits += 1;
      if (waits === 2) proxy.cut();
      return Promise.resolve();
    };
    await expect(reapDeadWorkers(dataSource, wait)).rejects.toThrow();
    expect(await countShown('away', '')).toBe(1);
    proxy.restore();
    await waitFor(async () => (await reapDeadWorkers(dataSource, () => Promise.resolve())) === 1, {
      description: 'the worker to be counted as dead',
    });
    await dataSource.destroy();
    await proxy.close();
  });

  it('does not wait for the lock of a connection that has gone silent', async () => {
    const proxy = await startBreakableProxy(world.databaseUrl);
    const { presence, trouble } = presenceOf('silent', { databaseUrl: proxy.url, answerWithinMs: 300 });
    await presence.start();
    proxy.silence();
    await expect(presence.query('SELECT 1')).rejects.toThrow();
    await waitFor(() => trouble.returned === 1, { description: 'the worker to come back' });
    expect(await reapDeadWorkers(world.dataSource, sleep)).toBe(0);
    await presence.stop();
    await proxy.close();
  });
});

describe('a worker that is cut off', () => {
  it('gives up a connection that does not answer, and may claim nothing until it has another one', async () => {
    const proxy = await FlakyProxy.before(world.databaseUrl);
    const { presence } = presenceOf('cut-off', { proxy, answerWithinMs: 300 });
    await presence.start();
    expect(await presence.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    proxy.freeze();
    await expect(presence.query('SELECT 1')).rejects.toThrow();
    await waitFor(() => !presence.isPresent, { description: 'the worker to notice that it is cut off' });
    expect(() => presence.workerId).toThrow(NOT_PRESENT);
    await expect(presence.query('SELECT 1')).rejects.toThrow(NOT_PRESENT);
    proxy.thaw();
    await presence.whenPresent();
    expect(presence.workerId).toMatch(/^cut-off#/);
    await presence.stop();
    await proxy.close();
  });

  it('keeps its connection when a statement is wrong', async () => {
    const { presence, trouble } = presenceOf('wrong');
    await presence.start();
    await expect(presence.query('SELECT nonsense')).rejects.toThrow(/nonsense/);
    expect(presence.workerId).toMatch(/^wrong#/);
    expect(trouble.returned).toBe(0);
    await presence.stop();
  });

  it('returns as one connection after any number of tries', async () => {
    const proxy = await FlakyProxy.before(world.databaseUrl);
    const { presence, trouble } = presenceOf('patient', { proxy });
    await presence.start();
    const startUp = await proxy.shutDown();
    await waitFor(() => trouble.errors.length >= 4, { description: 'several tries in vain' });
    await startUp();
    await waitFor(() => trouble.returned === 1, { description: 'the worker to come back' });
    const [row] = await world.dataSource.query<{ connections: number }[]>(
      `SELECT count(*)::int AS connections FROM pg_stat_activity
        WHERE application_name = 'capstan-presence' AND datname = current_database()`,
    );
    expect(row?.connections).toBe(1);
    await release();
    expect(await countShown('patient')).toBe(1);
    await presence.stop();
    expect(await countShown('patient')).toBe(0);
    await proxy.close();
  });
});

it('releases when it leaves what it still runs', async () => {
  const { presence } = presenceOf('leaving');
  await presence.start();
  const id = await runUnder(presence.workerId);
  await presence.stop();
  expect(await world.claims.claim(id, CLAIM_OPTIONS)).toMatchObject({
    kind: 'claimed',
    claim: { attempt: 2 },
  });
});
