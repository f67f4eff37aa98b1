import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CancellationStore } from '#libs/persistence';
import { aSettlement } from '../../contract/journal/a-settlement.js';
import { postgresJournalOf } from '../../contract/journal/postgres-journal-of.js';
import type { Claim } from '#libs/executions';
import { DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

const RACES = 40;

let world: PersistenceWorld;
let cancellations: CancellationStore;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  cancellations = new CancellationStore(world.dataSource);
});
beforeEach(() => world.clear());
afterAll(() => world.close());

/** Settles a claimed execution with the smallest settlement, which suffices for the line of its session. */
async function settle(claim: Claim): Promise<void> {
  const journal = postgresJournalOf(world, claim);
  await journal.read();
  await journal.settle({ entries: [], runSteps: [] }, aSettlement());
}

async function dispatched({ dispatches } = world): Promise<readonly string[]> {
  return (await dispatches.take(DISPATCH_OPTIONS)).map(({ executionId }) => executionId);
}

describe('the line of a conversation', () => {
  it('lets the next one be sent when the one before it has ended, and not earlier', async () => {
    const first = await world.accept();
    const second = await world.accept({ sessionId: first.sessionId });
    const third = await world.accept({ sessionId: first.sessionId });
    expect(await dispatched()).toEqual([first.id]);
    await settle(await world.claim(first.id));
    expect(await dispatched()).toEqual([second.id]);
    await settle(await world.claim(second.id));
    expect(await dispatched()).toEqual([third.id]);
  });

  it('closes up when one in the middle is cancelled', async () => {
    const first = await world.accept();
    const second = await world.accept({ sessionId: first.sessionId });
    const third = await world.accept({ sessionId: first.sessionId });
    expect(await cancellations.request('default', second.id)).toEqual({ kind: 'cancelled' });
    expect(await dispatched()).toEqual([first.id]);
    await settle(await world.claim(first.id));
    expect(await dispatched()).toEqual([third.id]);
  });

  it('moves on when its waiting head is cancelled', async () => {
    const first = await world.accept();
    const second = await world.accept({ sessionId: first.sessionId });
    expect(await cancellations.request('default', first.id)).toEqual({ kind: 'cancelled' });
    expect(await dispatched()).toEqual([second.id]);
  });

  it('keeps an execution that joins while the one before ends', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const first = await world.accept();
      const claim = await world.claim(first.id);
      const [second] = await Promise.all([world.accept({ sessionId: first.sessionId }), settle(claim)]);
      expect(await dispatched()).toEqual([second.id]);
      await settle(await world.claim(second.id));
    }
  });

  it('keeps every execution, without a deadlock, when ends and cancellations meet', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const first = await world.accept();
      const claim = await world.claim(first.id);
      const second = await world.accept({ sessionId: first.sessionId });
      const [third] = await Promise.all([
        world.accept({ sessionId: first.sessionId }),
        settle(claim),
        cancellations.request('default', second.id),
      ]);
      expect(await dispatched()).toEqual([third.id]);
      await settle(await world.claim(third.id));
    }
  });
});

describe('dispatching from a long line', () => {
  /** A database of its own: connections of other tests report what they have read when they please. */
  let lone: PersistenceWorld;
  beforeAll(async () => {
    lone = await PersistenceWorld.open();
  });
  afterAll(() => lone.close());

  it('reads no more of it than it sends', async () => {
    const { sessionId } = await lone.accept();
    await lone.dataSource.query(
      `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request)
       SELECT gen_random_uuid(), 'default', 1, $1, 1 + turn, '{}' FROM generate_series(1, 5000) turn`,
      [sessionId],
    );
    await lone.dataSource.query('ANALYZE execution');
    const readBefore = await rowsRead();
    expect(await dispatched(lone)).toHaveLength(1);
    expect((await rowsRead()) - readBefore).toBeLessThan(100);
  });

  /** Number of rows of `execution` read by scans of the table and of its indexes. */
  async function rowsRead(): Promise<number> {
    await lone.dataSource.query('SELECT pg_stat_force_next_flush()');
    await lone.dataSource.query('SELECT 1');
    const [row] = await lone.dataSource.query<{ rows: string }[]>(
      `SELECT pg_stat_get_tuples_returned('execution'::regclass) + pg_stat_get_tuples_fetched('execution'::regclass)
              + (SELECT sum(pg_stat_get_tuples_returned(indexrelid)) FROM pg_index WHERE indrelid = 'execution'::regclass) AS rows`,
    );
    return Number(row?.rows);
  }
});

it('a transaction that says nothing for 5 s is given up by the database, for it may hold a line', async () => {
  const [row] = await world.dataSource.query<{ limit: string }[]>(
    `SELECT current_setting('idle_in_transaction_session_timeout') AS limit`,
  );
  expect(row?.limit).toBe('5s');
});
