import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { releaseDeadWorkers, WorkerPresence } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { aSubmission } from '../../support/builders/submission.js';
import { FlakyProxy } from '../../contract/event-stream/flaky-proxy.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CLAIM_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

const databaseUrl = (): string => (world.dataSource as DataSource & { options: { url: string } }).options.url;

function presenceOf(processName: string, onLost = (): void => undefined): WorkerPresence {
  return new WorkerPresence({ databaseUrl: databaseUrl(), processName, onLost, onError: () => undefined });
}

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
  const living = presenceOf('living');
  await living.start();
  const id = await runUnder(living.workerId);
  expect(await releaseDeadWorkers(world.dataSource)).toBe(0);
  expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });

  let lost = 0;
  const dying = presenceOf('dying', () => {
    lost += 1;
  });
  await dying.start();
  const orphan = await runUnder(dying.workerId);
  await living.stop();
  await killPresence();
  await waitFor(() => lost === 1, { description: 'the worker to notice that it counts as dead' });
  expect(await releaseDeadWorkers(world.dataSource)).toBe(1);
  expect(await world.claims.claim(orphan, CLAIM_OPTIONS)).toMatchObject({
    kind: 'claimed',
    claim: { attempt: 2 },
  });

  await waitFor(() => dying.workerId === 'dying#2', { description: 'the worker to announce itself anew' });
  expect(await releaseDeadWorkers(world.dataSource)).toBe(0);
  await dying.stop();
});

it('is one connection again after an outage, however often it was tried meanwhile', async () => {
  const proxy = await FlakyProxy.before(databaseUrl());
  let failures = 0;
  const presence = new WorkerPresence({
    databaseUrl: proxy.through(databaseUrl()),
    processName: 'cut-off',
    onLost: () => undefined,
    onError: () => {
      failures += 1;
    },
  });
  await presence.start();
  const restore = await proxy.shutDown();
  await waitFor(() => failures >= 4, { description: 'some tries in vain' });
  await restore();
  await waitFor(() => presence.workerId !== 'cut-off#1', { description: 'the worker to be back' });

  const [row] = await world.dataSource.query<{ connections: number }[]>(
    `SELECT count(*)::int AS connections FROM pg_stat_activity
      WHERE application_name = 'capstan-presence' AND datname = current_database()`,
  );
  await presence.stop();
  await proxy.close();
  expect(row?.connections).toBe(1);
});

it('lets go of what it still runs when it says goodbye, and stops running it', async () => {
  let lost = 0;
  const leaving = presenceOf('leaving', () => {
    lost += 1;
  });
  await leaving.start();
  const id = await runUnder(leaving.workerId);
  await leaving.stop();
  expect(lost).toBe(1);
  expect(await world.claims.claim(id, CLAIM_OPTIONS)).toMatchObject({
    kind: 'claimed',
    claim: { attempt: 2 },
  });
});
