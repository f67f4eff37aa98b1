import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { releaseDeadWorkers, WorkerPresence } from '#libs/persistence';
import { aSubmission } from '../../support/builders/submission.js';
import { FlakyProxy } from '../../support/services/flaky-proxy.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CLAIM_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

interface Trouble {
  lost: number;
  readonly errors: unknown[];
}

/** A presence, perhaps with a proxy in between, and what has happened to it. */
function presenceOf(
  processName: string,
  options: { proxy?: FlakyProxy; answerWithinMs?: number } = {},
): { presence: WorkerPresence; trouble: Trouble } {
  const trouble: Trouble = { lost: 0, errors: [] };
  const presence = new WorkerPresence({
    databaseUrl: options.proxy?.through(world.databaseUrl) ?? world.databaseUrl,
    processName,
    places: 1,
    answerWithinMs: options.answerWithinMs ?? 10_000,
    onError: (error) => trouble.errors.push(error),
  });
  presence.onLost(() => {
    trouble.lost += 1;
  });
  return { presence, trouble };
}

/** How often the processes of this name show that they live. */
async function countShown(processName: string): Promise<number> {
  const [row] = await world.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM worker WHERE id LIKE $1 || '#%'`,
    [processName],
  );
  return row?.count ?? 0;
}

const NOT_PRESENT = expect.objectContaining({ code: 'NOT_PRESENT' });

async function runUnder(workerId: string): Promise<string> {
  const submission = aSubmission();
  await world.intake.accept(submission);
  await world.claims.claim(submission.executionId, { ...CLAIM_OPTIONS, workerId });
  return submission.executionId;
}

const killPresence = () =>
  world.dataSource.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'capstan-presence' AND datname = current_database()`,
  );

it('leaves the leases of the living alone, and ends those of a worker that said goodbye or died', async () => {
  const { presence: living } = presenceOf('living');
  await living.start();
  const id = await runUnder(living.workerId);
  expect(await releaseDeadWorkers(world.dataSource)).toBe(0);
  expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });

  const { presence: dying, trouble } = presenceOf('dying');
  await dying.start();
  const orphan = await runUnder(dying.workerId);
  await living.stop();
  await killPresence();
  await waitFor(() => trouble.lost === 1, { description: 'the worker to notice that it counts as dead' });
  expect(await releaseDeadWorkers(world.dataSource)).toBe(1);
  expect(await world.claims.claim(orphan, CLAIM_OPTIONS)).toMatchObject({
    kind: 'claimed',
    claim: { attempt: 2 },
  });

  await waitFor(() => dying.workerId === 'dying#2', { description: 'the worker to announce itself anew' });
  expect(await releaseDeadWorkers(world.dataSource)).toBe(0);
  await dying.stop();
});

describe('a worker that is cut off', () => {
  it('gives up a connection that does not answer, and may claim nothing until it has another one', async () => {
    const proxy = await FlakyProxy.before(world.databaseUrl);
    const { presence, trouble } = presenceOf('cut-off', { proxy, answerWithinMs: 300 });
    await presence.start();
    expect(await presence.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    proxy.freeze();
    await expect(presence.query('SELECT 1')).rejects.toThrow();
    await waitFor(() => trouble.lost === 1, { description: 'the worker to notice that it is cut off' });
    expect(() => presence.workerId).toThrow(NOT_PRESENT);
    await expect(presence.query('SELECT 1')).rejects.toThrow(NOT_PRESENT);
    proxy.thaw();
    await waitFor(() => presence.workerId === 'cut-off#2', { description: 'the worker to come back' });
    await presence.stop();
    await proxy.close();
  });

  it('keeps its connection when a statement is wrong', async () => {
    const { presence, trouble } = presenceOf('wrong');
    await presence.start();
    await expect(presence.query('SELECT nonsense')).rejects.toThrow(/nonsense/);
    expect(presence.workerId).toBe('wrong#1');
    expect(trouble.lost).toBe(0);
    await presence.stop();
  });

  it('comes back as one connection, however often it tried meanwhile', async () => {
    const proxy = await FlakyProxy.before(world.databaseUrl);
    const { presence, trouble } = presenceOf('patient', { proxy });
    await presence.start();
    const startUp = await proxy.shutDown();
    await waitFor(() => trouble.errors.length >= 4, { description: 'several tries in vain' });
    await startUp();
    await waitFor(() => presence.workerId !== 'patient#1', { description: 'the worker to come back' });
    const [row] = await world.dataSource.query<{ connections: number }[]>(
      `SELECT count(*)::int AS connections FROM pg_stat_activity
        WHERE application_name = 'capstan-presence' AND datname = current_database()`,
    );
    expect(row?.connections).toBe(1);
    await releaseDeadWorkers(world.dataSource);
    expect(await countShown('patient')).toBe(1);
    await presence.stop();
    expect(await countShown('patient')).toBe(0);
    await proxy.close();
  });
});

it('lets go of what it still runs when it says goodbye, and stops running it', async () => {
  const { presence, trouble } = presenceOf('leaving');
  await presence.start();
  const id = await runUnder(presence.workerId);
  await presence.stop();
  expect(trouble.lost).toBe(1);
  expect(await world.claims.claim(id, CLAIM_OPTIONS)).toMatchObject({
    kind: 'claimed',
    claim: { attempt: 2 },
  });
});
