import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JournalBatch, JournalEntry } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { ExecutionEndings, ExecutionWrites, PostgresJournal } from '#libs/persistence';
import { waitFor } from '../../support/services/wait-for.js';
import { PersistenceWorld } from './persistence-world.js';

const ANSWERED: JournalEntry = { kind: 'model_call_interrupted', round: 1, text: 'half' };
const SINCE: JournalEntry = { kind: 'model_call_interrupted', round: 2, text: 'more' };
const batch = (...entries: JournalEntry[]): JournalBatch => ({ entries, runSteps: [] });

/** Fails its first write as if the connection had been lost before the answer. */
class UnansweredWrites extends ExecutionWrites {
  private isAnswered = false;

  override append(...item: Parameters<ExecutionWrites['append']>): ReturnType<ExecutionWrites['append']> {
    if (this.isAnswered) return super.append(...item);
    this.isAnswered = true;
    return Promise.reject(new Error('the connection was lost'));
  }
}

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

/** A journal with two failed writes; the first one failed because its answer was lost. */
async function begin(): Promise<{ claim: Claim; journal: PostgresJournal }> {
  const { id } = await world.accept();
  const claim = await world.claim(id);
  const endings = new ExecutionEndings(() => Promise.resolve(), 60_000);
  const journal = new PostgresJournal(new UnansweredWrites(world.dataSource, endings), claim, systemClock);
  await expect(journal.append(batch(ANSWERED))).rejects.toThrow('lost');
  await expect(journal.append(batch(SINCE))).rejects.toThrow('lost');
  return { claim, journal };
}

async function factsOf({ executionId }: Claim): Promise<unknown[]> {
  const rows = await world.dataSource.query<{ fact: unknown }[]>(
    `SELECT data || jsonb_build_object('kind', kind) AS fact FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`,
    [executionId],
  );
  return rows.map(({ fact }) => fact);
}

async function isWaitedFor(): Promise<boolean> {
  const rows = await world.dataSource.query<object[]>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

describe('data handed over after a write without an answer', () => {
  it('is all of it, where that write never came to anything', async () => {
    const { claim, journal } = await begin();
    await journal.handOver();
    expect(await factsOf(claim)).toEqual([ANSWERED, SINCE]);
  });

  it.each<[string, 'commitTransaction' | 'rollbackTransaction']>([
    ['lands', 'commitTransaction'],
    ['comes to nothing', 'rollbackTransaction'],
  ])('is there once, where that write %s in the meantime', async (_name, end) => {
    const { claim, journal } = await begin();
    const onItsWay = world.dataSource.createQueryRunner();
    try {
      await onItsWay.startTransaction();
      await onItsWay.query('SELECT FROM execution WHERE id = $1 FOR NO KEY UPDATE', [claim.executionId]);
      const { kind, ...data } = ANSWERED;
      await onItsWay.query(
        `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
         VALUES ($1, 1, $2, $3, 1, $4, '', $5)`,
        [claim.executionId, claim.tenantId, claim.epoch, kind, data],
      );
      const handedOver = journal.handOver();
      await waitFor(() => isWaitedFor(), { description: 'the hand-over to wait for the write' });
      await onItsWay[end]();
      await expect(handedOver).resolves.toBeUndefined();
    } finally {
      await onItsWay.release();
    }
    expect(await factsOf(claim)).toEqual([ANSWERED, SINCE]);
  });

  it('refuses that write where it comes later still', async () => {
    const { claim, journal } = await begin();
    await journal.handOver();
    const late = new PostgresJournal(
      new ExecutionWrites(world.dataSource, new ExecutionEndings(() => Promise.resolve(), 60_000)),
      claim,
      systemClock,
    );
    await expect(late.append(batch(ANSWERED))).rejects.toMatchObject({ code: '23505' });
    expect(await factsOf(claim)).toEqual([ANSWERED, SINCE]);
  });

  it('is nothing after another worker took over', async () => {
    const { claim, journal } = await begin();
    await world.expireLease(claim.executionId);
    await world.claim(claim.executionId);
    await journal.handOver();
    expect(await factsOf(claim)).toEqual([]);
  });
});
