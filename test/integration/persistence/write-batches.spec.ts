import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LeaseLostError, type Journal, type JournalEntry } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { ExecutionEndings, ExecutionWrites, PostgresJournal } from '#libs/persistence';
import { aSettlement } from '../../contract/journal/a-settlement.js';
import { waitFor } from '../../support/services/wait-for.js';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
let writes: ExecutionWrites;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  writes = new ExecutionWrites(world.dataSource, new ExecutionEndings(() => Promise.resolve(), 60_000));
});
afterAll(() => world.close());

interface Running {
  readonly claim: Claim;
  readonly journal: Journal;
}

const FACT: JournalEntry = { kind: 'model_call_interrupted', round: 1, text: 'half' };
const BATCH = { entries: [FACT], runSteps: [] };
const COMPLETED = aSettlement({
  status: 'completed',
  error: null,
  messages: [
    { role: 'user', content: 'hello', data: {}, truncated: false, tokens: null },
    { role: 'assistant', content: 'hi', data: {}, truncated: false, tokens: null },
  ],
});

const WRITES: [name: string, write: (running: Running) => Promise<unknown>][] = [
  ['append', ({ journal }) => journal.append(BATCH)],
  ['settle', ({ journal }) => journal.settle(BATCH, COMPLETED)],
];

async function start(count: number): Promise<Running[]> {
  const started = Array.from({ length: count }, async () => {
    const { id } = await world.accept();
    const claim = await world.claim(id);
    return { claim, journal: new PostgresJournal(writes, claim, systemClock) };
  });
  const running = await Promise.all(started);
  return running.sort((one, other) => (one.claim.executionId < other.claim.executionId ? -1 : 1));
}

async function wroteAll(running: readonly Running[]): Promise<boolean> {
  const ids = running.map(({ claim }) => claim.executionId);
  const rows = await world.dataSource.query<object[]>(
    'SELECT FROM journal_entry WHERE execution_id = ANY($1)',
    [ids],
  );
  return rows.length === running.length;
}

/** Eight executions write at the same time; the special one is first, last or in between in the batch. */
describe.each(WRITES)('executions that %s together', (_name, write) => {
  describe.each([0, 3, 7])('the one at place %d', (place) => {
    async function begin() {
      const running = await start(8);
      const special = running[place];
      if (!special) throw new Error('there is no such place');
      return { running, special, others: running.filter((one) => one !== special) };
    }

    it('is refused by itself after it lost its lease', async () => {
      const { running, special, others } = await begin();
      await world.expireLease(special.claim.executionId);
      await world.claim(special.claim.executionId);
      const ends = await Promise.allSettled(running.map(write));
      expect(ends[place]).toMatchObject({ reason: expect.any(LeaseLostError) });
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
      expect([await wroteAll(others), await wroteAll([special])]).toEqual([true, false]);
    });

    it('fails by itself when the database refuses its data', async () => {
      const { running, special, others } = await begin();
      // An earlier write with the same claim has taken the sequence number.
      await new PostgresJournal(writes, special.claim, systemClock).append(BATCH);
      const ends = await Promise.allSettled(running.map(write));
      expect(ends[place]).toMatchObject({ reason: { code: '23505' } });
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
      expect(await wroteAll(others)).toBe(true);
    });

    it('is written after a lock and a change by another transaction, and the others at once', async () => {
      const { running, special, others } = await begin();
      const locker = world.dataSource.createQueryRunner();
      try {
        await locker.startTransaction();
        await locker.query(
          `UPDATE execution SET lease_expires_at = lease_expires_at + interval '1 hour' WHERE id = $1`,
          [special.claim.executionId],
        );
        const ends = running.map(write);
        await Promise.all(ends.filter((_end, index) => index !== place));
        expect([await wroteAll(others), await wroteAll([special])]).toEqual([true, false]);
        await waitFor(() => isWaitedFor(), { description: 'somebody to wait for the row' });
        await locker.commitTransaction();
        await Promise.all(ends);
        expect(await wroteAll([special])).toBe(true);
      } finally {
        await locker.release();
      }
    });
  });
});

async function isWaitedFor(): Promise<boolean> {
  const rows = await world.dataSource.query<object[]>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

describe('executions that settle together', () => {
  it.each([
    ['session', 'SELECT FROM chat_session WHERE id = $1 FOR UPDATE', ({ sessionId }: Claim) => [sessionId]],
    [
      'endpoint to notify',
      'DELETE FROM webhook_endpoint WHERE tenant_id = $1',
      ({ tenantId }: Claim) => [tenantId],
    ],
  ])('one whose %s is locked waits by itself, and ends as the others', async (_what, lock, parametersOf) => {
    const running = await start(5);
    const [special, ...others] = running;
    if (!special) throw new Error('nothing has started');
    await world.dataSource.query(`UPDATE execution SET tenant_id = 'other' WHERE id = $1`, [
      special.claim.executionId,
    ]);
    await world.dataSource.query(
      `INSERT INTO webhook_endpoint (tenant_id, url, secret_sealed, events)
       SELECT tenant, 'https://example.com/', 'sealed', '{execution.completed}' FROM unnest('{other,default}'::text[]) tenant`,
    );
    const claim = { ...special.claim, tenantId: 'other' };
    const locker = world.dataSource.createQueryRunner();
    try {
      await locker.startTransaction();
      await locker.query(lock, parametersOf(claim));
      const journal = new PostgresJournal(writes, claim, systemClock);
      const end = journal.settle(BATCH, COMPLETED);
      await Promise.all(others.map((one) => one.journal.settle(BATCH, COMPLETED)));
      expect([await wroteAll(others), await wroteAll([special])]).toEqual([true, false]);
      await locker.rollbackTransaction();
      await end;
    } finally {
      await locker.release();
    }
    const notified = await world.dataSource.query<{ executions: number }[]>(
      'SELECT count(DISTINCT execution_id)::int AS executions FROM webhook_delivery WHERE execution_id = ANY($1)',
      [running.map((one) => one.claim.executionId)],
    );
    expect(notified).toEqual([{ executions: 5 }]);
    await world.dataSource.query('DELETE FROM webhook_endpoint');
  });

  it('each answers, stores and notifies the same of its own end', async () => {
    await world.dataSource.query(
      `INSERT INTO webhook_endpoint (tenant_id, url, secret_sealed, events)
       VALUES ('default', 'https://example.com/', 'sealed', '{execution.completed}')`,
    );
    const running = await start(4);
    const results = await Promise.all(running.map(({ journal }) => journal.settle(BATCH, COMPLETED)));
    for (const [index, { claim }] of running.entries()) {
      const view = await world.executions.find('default', claim.executionId);
      const [delivery] = await world.dataSource.query<{ body: string }[]>(
        'SELECT body FROM webhook_delivery WHERE execution_id = $1',
        [claim.executionId],
      );
      expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'hi' } } });
      expect(JSON.parse(delivery?.body ?? '')).toEqual({
        type: 'execution.completed',
        timestamp: view?.finished_at,
        data: view,
      });
      expect(results[index]).toEqual(
        (await world.executions.findEnding('default', claim.executionId))?.result,
      );
    }
    await world.dataSource.query('DELETE FROM webhook_endpoint');
  });
});
