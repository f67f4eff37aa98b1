import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { releaseDeadWorkers, WorkerPresence } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { aSubmission } from '../../support/builders/submission.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CLAIM_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

function presenceOf(processName: string, onLost = (): void => undefined): WorkerPresence {
  const { options } = world.dataSource as DataSource & { options: { url: string } };
  return new WorkerPresence({ databaseUrl: options.url, processName, onLost, onError: () => undefined });
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
