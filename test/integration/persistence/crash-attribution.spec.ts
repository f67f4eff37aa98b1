import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JournalEntry } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { postgresJournalOf } from '../../contract/journal/postgres-journal-of.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
beforeEach(() => world.clear());
afterAll(() => world.close());

describe('crash attribution of an execution', () => {
  it('gives a suspect only to a worker that can isolate it, and counts its loss once', async () => {
    const { id } = await world.accept();
    const lose = async () => {
      await world.claim(id);
      await world.expireLease(id);
    };
    await lose();
    await lose();
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await world.claims.claim(id, { ...CLAIM_OPTIONS, canIsolate: false })).toEqual({
        kind: 'not_now',
        isSuspect: true,
      });
      // Neither a claim nor the dispatcher gets the execution before it is due.
      await world.holdDelay(id);
      expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
      expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
      await world.endDelay(id);
    }
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: id }]);
    expect(await world.claim(id)).toMatchObject({ attempt: 3, isSuspect: true });
    const [row] = await world.dataSource.query<object[]>(
      'SELECT lost_attempts FROM execution WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ lost_attempts: 2 });
  });

  it('sends first what was lost longest ago, so that each gets its attempt in turn', async () => {
    const ids = [(await world.accept()).id, (await world.accept()).id, (await world.accept()).id];
    for (const id of ids) await world.claim(id);
    await world.dataSource.query(
      `UPDATE execution SET lease_expires_at = now() - lost.hours * interval '1 hour'
         FROM unnest($1::uuid[], '{1,3,2}'::int[]) AS lost (id, hours) WHERE execution.id = lost.id`,
      [ids],
    );
    const sent = await world.dispatches.take(DISPATCH_OPTIONS);
    expect(sent.map(({ executionId }) => ids.indexOf(executionId))).toEqual([1, 2, 0]);
  });

  it('gives a suspect whose time is up to any worker, to be ended', async () => {
    const { id } = await world.accept();
    for (let lost = 0; lost < 3; lost += 1) {
      await world.claim(id);
      await world.expireLease(id);
    }
    const cannot = { ...CLAIM_OPTIONS, canIsolate: false };
    const set = (deadline: string, due: string) =>
      world.dataSource.query(
        `UPDATE execution SET deadline_at = now() + $2::interval, due_at = now() + $3::interval WHERE id = $1`,
        [id, deadline, due],
      );
    await set('60 seconds', '-5 seconds');
    expect(await world.claims.claim(id, cannot)).toEqual({ kind: 'not_now', isSuspect: true });
    await set('-3 seconds', '-2 seconds');
    const late = await world.claims.claim(id, cannot);
    expect(late).toMatchObject({ kind: 'claimed', claim: { isSuspect: false } });
    expect('claim' in late && late.claim.remainingMs).toBeLessThanOrEqual(-3_000);
  });

  it('does not send an execution again whose last death in isolation was recorded after its lease had ended', async () => {
    const { id } = await world.accept();
    const claim = await world.claim(id);
    await world.expireLease(id);
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: id }]);
    expect(await world.claims.recordIsolatedDeath(claim, 1)).toBe('poisoned');
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
  });

  it.each([
    ['several in a row', 9],
    ['one', 0],
  ])('has its time go on in the delay after %s that was lost', async (_losses, before) => {
    const { id } = await world.accept();
    await world.claim(id);
    const lose = (left: string) =>
      world.dataSource.query(
        `UPDATE execution SET lost_attempts = $2, lease_expires_at = now() - interval '31 seconds', deadline_at = now() + $3::interval
          WHERE id = $1`,
        [id, before, left],
      );
    await lose('100 seconds');
    expect((await world.claim(id)).remainingMs).toBeLessThanOrEqual(100_000);
    await lose('-14 seconds');
    expect(await world.claim(id)).toMatchObject({ isSuspect: false, remainingMs: expect.any(Number) });
  });

  it('is taken up at once after its first loss, and after a growing delay after the next', async () => {
    const { id } = await world.accept();
    const delays: number[] = [];
    for (let lost = 0; lost < 12; lost += 1) {
      const [row] = await world.dataSource.query<{ ms: number }[]>(
        `SELECT (extract(epoch FROM retry_delay($1, $2)) * 1000)::float8 AS ms`,
        [lost, id],
      );
      delays.push(row?.ms ?? NaN);
    }
    const [first, second = 0, ...later] = delays;
    expect(first).toBe(0);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThanOrEqual(1_000);
    expect(later.every((ms, index) => ms >= (delays[index + 1] ?? 0) && ms <= 30_000)).toBe(true);
    expect(later.at(-1)).toBeGreaterThanOrEqual(15_000);

    const expire = () =>
      world.dataSource.query(
        `UPDATE execution SET lease_expires_at = now() - interval '1 millisecond' WHERE id = $1`,
        [id],
      );
    await world.claim(id);
    await expire();
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toHaveLength(1);
    await world.claim(id);
    await expire();
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
    expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
  });
});

describe('how long an execution waits that is hit again and again', () => {
  const PROGRESS: JournalEntry = { kind: 'tool_call_started', round: 1, position: 0 };
  const LOST: JournalEntry = { kind: 'model_call_lost', round: 1, model: 'm' };
  const INTERRUPTED: JournalEntry = { kind: 'model_call_interrupted', round: 1, text: '' };
  const NOT_BEGUN: JournalEntry = { kind: 'tool_call_not_begun', round: 1, position: 0 };
  const HITS = 12;

  const append = async (claim: Claim, entry: JournalEntry): Promise<void> => {
    const journal = postgresJournalOf(world, claim);
    await journal.read();
    await journal.append({ entries: [entry], runSteps: [] });
  };
  /** Bounds in milliseconds of the delay that `putOff` sets: the statement ran between the two clock readings. */
  const waitAfter = async (id: string, putOff: () => Promise<unknown>) => {
    const ms = async (time: string): Promise<number> => {
      const [row] = await world.dataSource.query<{ ms: number }[]>(
        `SELECT (extract(epoch FROM ${time}) * 1000)::float8 AS ms FROM execution WHERE id = $1`,
        [id],
      );
      return row?.ms ?? NaN;
    };
    const before = await ms('clock_timestamp()');
    await putOff();
    const after = await ms('clock_timestamp()');
    const due = await ms('due_at');
    return { least: due - after, most: due - before };
  };

  describe.each(['requeueWithBackoff', 'requeueCutOff'] as const)(
    'and returns to the line (%s)',
    (putOff) => {
      it.each<[string, JournalEntry | null, 'short' | 'long']>([
        ['a moment, where each attempt gets further', PROGRESS, 'short'],
        ['longer and longer, where none writes anything', null, 'long'],
        ['longer and longer, where each records what was lost before it', LOST, 'long'],
        ['longer and longer, where each gives its model call up', INTERRUPTED, 'long'],
        ['longer and longer, where each begins nothing', NOT_BEGUN, 'long'],
      ])('%s', async (_wait, fact, expected) => {
        const { id } = await world.accept();
        const waits: { least: number; most: number }[] = [];
        for (let hit = 0; hit < HITS; hit += 1) {
          const claim = await world.claim(id);
          if (fact) await append(claim, fact);
          waits.push(await waitAfter(id, () => world.claims[putOff](claim)));
          await world.endDelay(id);
        }
        expect(Math.min(...waits.map(({ most }) => most))).toBeGreaterThanOrEqual(500);
        if (expected === 'short')
          expect(Math.max(...waits.map(({ least }) => least))).toBeLessThanOrEqual(1_000);
        else expect(waits.at(-1)?.most).toBeGreaterThanOrEqual(15_000);

        // An attempt that made progress resets the backoff.
        const claim = await world.claim(id);
        await append(claim, PROGRESS);
        expect((await waitAfter(id, () => world.claims[putOff](claim))).least).toBeLessThanOrEqual(1_000);
        await world.endDelay(id);
        const next = await world.claim(id);
        expect((await waitAfter(id, () => world.claims[putOff](next))).least).toBeLessThanOrEqual(1_000);
      });
    },
  );

  it('is taken up at once after an attempt that got further before it was lost, however many were before it', async () => {
    const { id } = await world.accept();
    const lose = async (fact: JournalEntry | null): Promise<void> => {
      const claim = await world.claim(id);
      if (fact) await append(claim, fact);
      await world.dataSource.query(
        `UPDATE execution SET lost_attempts = 9, lease_expires_at = now() - interval '1 millisecond' WHERE id = $1`,
        [id],
      );
    };
    await lose(LOST);
    expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
    await world.expireLease(id);
    await lose(PROGRESS);
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: id }]);
    expect(await world.claim(id)).toMatchObject({ isSuspect: false });
  });
});
