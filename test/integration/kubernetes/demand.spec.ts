import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Submission } from '#libs/executions';
import { aSubmission } from '../../support/builders/submission.js';
import { insertDocuments } from '../../support/services/insert-datasource.js';
import { PersistenceWorld } from '../persistence/persistence-world.js';

/** SQL query from which KEDA gets the number of workers to run. */
const DEMAND = readFileSync('k8s/chart/demand.sql', 'utf8');

describe('the demand for workers', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
  });
  afterAll(() => world.close());

  const demand = async (): Promise<number> => {
    const [row] = await world.dataSource.query<Record<string, string>[]>(DEMAND);
    return Number(Object.values(row ?? {})[0]);
  };
  const accept = async (session: Partial<Submission> = {}): Promise<string> => {
    const submission = aSubmission(session);
    await world.acceptances.accept(submission);
    return submission.executionId;
  };

  it('is what runs and what could run now, without what waits for its conversation, its time or a person', async () => {
    expect(await demand()).toBe(0);

    const session = randomUUID();
    const first = await accept({ newSessionId: session });
    await accept({ sessionId: session });
    expect(await demand()).toBe(1);

    await world.claim(first);
    expect(await demand()).toBe(1);

    const postponed = await accept();
    expect(await demand()).toBe(2);
    await world.dataSource.query(`UPDATE execution SET due_at = now() + interval '1 hour' WHERE id = $1`, [
      postponed,
    ]);
    expect(await demand()).toBe(1);

    await world.dataSource.query(`UPDATE execution SET status = 'requires_action' WHERE id = $1`, [first]);
    expect(await demand()).toBe(0);
  });
});

describe('the demand for workers that take documents in', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
  });
  afterAll(() => world.close());

  it('is what is taken in and what could be, without what is put off or over', async () => {
    const sql = readFileSync('k8s/chart/ingest-demand.sql', 'utf8');
    await insertDocuments(world.dataSource, [
      'due_at = now()',
      `lease_expires_at = now() + interval '1 minute'`,
      `due_at = now() + interval '1 hour'`,
      'finished_at = now()',
    ]);
    const [row] = await world.dataSource.query<Record<string, string>[]>(sql);
    expect(Number(Object.values(row ?? {})[0])).toBe(2);
  });
});
