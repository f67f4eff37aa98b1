import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, ExecutionStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { aSubmission } from '../../support/builders/submission.js';
import { PersistenceWorld } from './persistence-world.js';

const OTHERS = 'others';

let world: PersistenceWorld;
/** Data source with one connection, so that reads which share no statement run one after the other. */
let reader: DataSource;
let executions: ExecutionStore;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  await world.dataSource.query(`INSERT INTO tenant (id, name) VALUES ($1, 'Others')`, [OTHERS]);
  reader = await createDataSource({ url: world.databaseUrl, poolSize: 1 }).initialize();
  executions = new ExecutionStore(reader);
});
afterAll(async () => {
  await reader.destroy();
  await world.close();
});

async function accept(tenantId = 'default'): Promise<string> {
  const submission = aSubmission({ tenantId });
  await world.acceptances.accept(submission);
  return submission.executionId;
}

/** Number of finished transactions in this database. */
async function transactions(): Promise<number> {
  await reader.query('SELECT pg_stat_force_next_flush()');
  const [row] = await reader.query<{ count: number }[]>(
    `SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()`,
  );
  return row?.count ?? Number.NaN;
}

describe('executions that are asked for at the same time', () => {
  it('are answered in the order of the questions: each to its tenant, none for unknown ones', async () => {
    const [first, second, foreign] = [await accept(), await accept(), await accept(OTHERS)];
    const asked: readonly (readonly [string, string])[] = [
      ['default', second],
      [OTHERS, first],
      ['default', randomUUID()],
      ['default', foreign],
      [OTHERS, foreign],
      ['default', first],
      ['default', second],
    ];
    const found = await Promise.all(asked.map(([tenantId, id]) => executions.find(tenantId, id)));
    expect(found.map((view) => view?.id ?? null)).toEqual([second, null, null, null, foreign, first, second]);
  });

  it('are one question to the database', async () => {
    const ids = [await accept(), await accept(), await accept()];
    const asked = Array.from({ length: 30 }, (_none, index) => ids[index % ids.length] ?? '');
    const before = await transactions();
    await Promise.all(asked.map((id) => executions.find('default', id)));
    // One transaction for the reads, and two of `transactions`.
    expect((await transactions()) - before).toBeLessThanOrEqual(1 + 2);
  });

  it('are answered although the database refuses one of them', async () => {
    const id = await accept();
    const answers = await Promise.allSettled([
      executions.find('default', id),
      executions.find('default', 'no id'),
      executions.find('default', id),
    ]);
    expect(answers).toMatchObject([
      { status: 'fulfilled', value: { id } },
      { status: 'rejected', reason: { code: '22P02' } },
      { status: 'fulfilled', value: { id } },
    ]);
  });

  it('are seen as they are when they are asked for, also while another question is under way', async () => {
    const earlier = await accept();
    const pending = executions.find('default', earlier);
    const later = await accept();
    expect((await executions.find('default', later))?.id).toBe(later);
    expect((await pending)?.id).toBe(earlier);
  });
});
