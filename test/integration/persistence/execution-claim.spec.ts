import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LeaseLostError } from '#libs/agent-core';
import { aSettlement } from '../../contract/journal/a-settlement.js';
import { postgresJournalOf } from '../../contract/journal/postgres-journal-of.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
beforeEach(() => world.clear());
afterAll(() => world.close());

describe('claiming', () => {
  it('raises attempt and epoch, and is refused to everybody else while the lease lives', async () => {
    const { id } = await world.accept();
    const claim = await world.claim(id);
    expect(claim).toMatchObject({ attempt: 1, epoch: 1, turnNumber: 1 });
    expect(claim.remainingMs).toBeGreaterThan(299_000);
    expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
  });

  it('is given to exactly one of many that ask at once', async () => {
    const { id } = await world.accept();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => world.claims.claim(id, CLAIM_OPTIONS)),
    );
    expect(results.filter((result) => result.kind === 'claimed')).toHaveLength(1);
  });

  it('lets only the head of a conversation run (S3-33, S4-3)', async () => {
    const first = await world.accept();
    const second = await world.accept({ sessionId: first.sessionId });
    expect(await world.claims.claim(second.id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
    await world.claim(first.id);
    expect(await world.claims.claim(second.id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
  });

  it.each<[string, object, object, object, number]>([
    ['the service says', {}, {}, {}, 300],
    ['the agent says', {}, { timeout_seconds: 400 }, {}, 400],
    ['the model configuration says', { timeout_seconds: 50 }, {}, {}, 50],
    ['the request says', { timeout_seconds: 50 }, { timeout_seconds: 400 }, { timeout_seconds: 5 }, 5],
    ['the agent says, as no text is a number', {}, { timeout_seconds: 20 }, { timeout_seconds: '5' }, 20],
    ['the service says, as null means just that', {}, { timeout_seconds: null }, {}, 300],
  ])('leaves as much time as %s', async (_case, extra, config, options, seconds) => {
    await world.dataSource.query('UPDATE agent SET config = $1 WHERE id = 1', [JSON.stringify(config)]);
    await world.dataSource.query(
      'UPDATE llm SET extra = $1 WHERE id = (SELECT llm_id FROM agent WHERE id = 1)',
      [JSON.stringify(extra)],
    );
    const { id } = await world.accept({
      request: { input: 'hi', options: { ...options }, additional_data: {} },
    });
    const { remainingMs, timeoutMs } = await world.claim(id);
    expect(timeoutMs).toBe(seconds * 1_000);
    expect(remainingMs).toBeLessThanOrEqual(timeoutMs);
    expect(remainingMs).toBeGreaterThan((seconds - 4) * 1_000);
    await world.dataSource.query(`UPDATE agent SET config = '{}'`);
    await world.dataSource.query(`UPDATE llm SET extra = '{}'`);
  });

  it('keeps the deadline of the first claim when another worker takes over', async () => {
    const { id } = await world.accept();
    await world.claims.claim(id, { ...CLAIM_OPTIONS, deadlineMs: 1_000 });
    await world.expireLease(id);
    expect((await world.claim(id)).remainingMs).toBeLessThanOrEqual(1_000);
  });

  it('counts an attempt that fell silent as lost, and one that was released not', async () => {
    const { id } = await world.accept();
    for (let round = 0; round < 3; round += 1) {
      const claim = await world.claim(id);
      expect(await world.claims.release(claim)).toBe(true);
    }
    for (let lost = 0; lost < 2; lost += 1) {
      expect(await world.claim(id)).toMatchObject({ isSuspect: false });
      await world.expireLease(id);
    }
    expect(await world.claim(id)).toMatchObject({ attempt: 6, isSuspect: true });
  });

  it('forgives the attempts that were lost before one that got somewhere', async () => {
    const { id } = await world.accept();
    const loseOne = async (getsSomewhere: boolean): Promise<void> => {
      const journal = postgresJournalOf(world, await world.claim(id));
      await journal.read();
      if (getsSomewhere) await journal.append({ entries: [FACT], runSteps: [] });
      await world.expireLease(id);
    };
    for (const getsSomewhere of [false, false, true]) await loseOne(getsSomewhere);
    expect(await world.claim(id)).toMatchObject({ isSuspect: false });
    await world.expireLease(id);
    // Progress resets the count of lost attempts; the loss of the attempt with progress counts as the first one again.
    expect(await world.claim(id)).toMatchObject({ isSuspect: true });
  });

  it('does not count an attempt whose worker left it to others', async () => {
    const { id } = await world.accept();
    for (let left = 0; left < 5; left += 1) {
      await world.claims.requeueWithBackoff(await world.claim(id));
      expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
      await world.endDelay(id);
    }
    expect(await world.claim(id)).toMatchObject({ attempt: 6 });
  });

  it('knows an attempt from a later one whose epoch is the same, in everything that it asks for', async () => {
    const { id } = await world.accept();
    const old = await world.claim(id);
    const outcome = { status: 'failed', output: 'o', error: 'e' } as const;
    const saw = { scope: '', round: 1, position: 0, outcome };
    await postgresJournalOf(world, old).recordLateOutcomes([saw]);
    // The state of a database that has lost its last transactions.
    await world.dataSource.query(`UPDATE execution SET status = 'queued', epoch = 0 WHERE id = $1`, [id]);
    const current = await world.claim(id);
    expect(current.epoch).toBe(old.epoch);
    expect(await world.claims.renew([old, current], 60_000)).toEqual(new Set([current.token]));
    expect(await world.claims.isCurrent(old)).toBe(false);
    expect(await world.claims.isCurrent(current)).toBe(true);
    expect(await world.claims.release(old)).toBe(false);
    await world.claims.requeueWithBackoff(old);
    expect(await world.claims.claim(id, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
    await postgresJournalOf(world, current).recordLateOutcomes([saw]);
    expect(
      await world.dataSource.query('SELECT epoch FROM late_evidence WHERE execution_id = $1', [id]),
    ).toEqual([{ epoch: 1 }, { epoch: 1 }]);
  });

  it('renews only what is still ours', async () => {
    const mine = await world.accept();
    const lost = await world.accept();
    const myClaim = await world.claim(mine.id);
    const lostClaim = await world.claim(lost.id);
    await world.expireLease(lost.id);
    await world.claim(lost.id);
    expect(await world.claims.renew([myClaim, lostClaim], 60_000)).toEqual(new Set([myClaim.token]));
  });
});

const FACT = { kind: 'model_call_interrupted', round: 1, text: 'a\u0000b \ud800' } as const;

describe('the journal', () => {
  it('refuses a worker that was overtaken, and keeps nothing of what it wrote', async () => {
    const { id } = await world.accept();
    const old = postgresJournalOf(world, await world.claim(id));
    await old.read();
    await old.append({ entries: [FACT], runSteps: [] });
    await world.expireLease(id);
    const current = postgresJournalOf(world, await world.claim(id));
    await expect(old.append({ entries: [FACT], runSteps: [] })).rejects.toThrow(LeaseLostError);
    await expect(old.settle({ entries: [FACT], runSteps: [] }, aSettlement())).rejects.toThrow(
      LeaseLostError,
    );
    expect(await current.read()).toEqual([{ ...FACT, text: 'ab \ufffd' }]);
  });

  it('keeps late evidence of a worker without the lease, for any of its writes, and nothing else', async () => {
    const { id } = await world.accept();
    const old = postgresJournalOf(world, await world.claim(id));
    await world.expireLease(id);
    const current = postgresJournalOf(world, await world.claim(id));
    const settledCall = (position: number, status: 'succeeded' | 'refused' | 'outcome_unknown') =>
      ({
        kind: 'tool_call_settled',
        round: 1,
        position,
        outcome: { status, output: `o${position}`, result: null },
      }) as const;
    const batch = (...entries: ReturnType<typeof settledCall>[]) => ({ entries, runSteps: [] });
    const seen = () =>
      world.dataSource.query(
        'SELECT tenant_id, epoch, position, status, output FROM late_evidence WHERE execution_id = $1 ORDER BY position',
        [id],
      );
    const unseen = [settledCall(8, 'refused'), settledCall(9, 'outcome_unknown')];
    await expect(old.append(batch(settledCall(0, 'succeeded'), ...unseen))).rejects.toThrow(LeaseLostError);
    await expect(old.settle(batch(settledCall(1, 'succeeded')), aSettlement())).rejects.toThrow(
      LeaseLostError,
    );
    await expect(old.park(batch(settledCall(2, 'succeeded')), [])).rejects.toThrow(LeaseLostError);
    const row = { tenant_id: 'default', epoch: 1, status: 'succeeded' };
    const rows = [0, 1, 2].map((position) => ({ ...row, position, output: `o${position}` }));
    expect(await seen()).toEqual(rows);
    await expect(old.append(batch(settledCall(0, 'succeeded')))).rejects.toThrow(LeaseLostError);
    await current.append(batch(settledCall(3, 'succeeded')));
    expect(await seen()).toEqual(rows);
    expect((await current.read()).length).toBe(1);
  });

  it('records no late outcome of an execution that is gone', async () => {
    const { id } = await world.accept();
    const old = postgresJournalOf(world, await world.claim(id));
    await world.dataSource.query('DELETE FROM execution WHERE id = $1', [id]);
    const outcome = { status: 'failed', output: 'o', error: 'e' } as const;
    await old.recordLateOutcomes([{ scope: '', round: 1, position: 0, outcome }]);
    expect(await world.dataSource.query('SELECT 1 FROM late_evidence WHERE execution_id = $1', [id])).toEqual(
      [],
    );
  });

  it('writes the audit row with the fact and overwrites it with the outcome', async () => {
    const { id } = await world.accept();
    const journal = postgresJournalOf(world, await world.claim(id));
    const step = {
      scope: '',
      round: 1,
      position: 0,
      callId: 'c',
      toolName: 't',
      effect: null,
      input: { a: 1 },
      sentInput: "{'a': 1}",
      output: null,
      status: 'started',
      startedAt: null,
      finishedAt: null,
      error: null,
    } as const;
    await journal.append({ entries: [FACT], runSteps: [step] });
    expect(await world.stepsOf(id)).toMatchObject([{ status: 'started', output: null, finished_at: null }]);
    await journal.append({
      entries: [],
      runSteps: [{ ...step, status: 'succeeded', output: { status: 'success' } }],
    });
    expect(await world.stepsOf(id)).toMatchObject([
      { status: 'succeeded', input: { a: 1 }, sent_input: "{'a': 1}", output: { status: 'success' } },
    ]);
    expect(await world.stepsOf(id, 'other')).toEqual([]);
  });

  it('lets a settled execution never change again', async () => {
    const { id } = await world.accept();
    await world.claim(id);
    await world.dataSource.query(`UPDATE execution SET status = 'failed' WHERE id = $1`, [id]);
    await expect(
      world.dataSource.query(`UPDATE execution SET status = 'queued' WHERE id = $1`, [id]),
    ).rejects.toThrow(/is settled/);
  });
});

describe('dispatching', () => {
  it('sends each runnable head once, and again only when its job must be lost', async () => {
    const first = await world.accept();
    await world.accept({ sessionId: first.sessionId });
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: first.id }]);
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
    expect(await world.dispatches.take({ ...DISPATCH_OPTIONS, redispatchAfterMs: 0 })).toEqual([
      { executionId: first.id },
    ]);
  });

  it('sends again what could not be sent', async () => {
    const { id } = await world.accept();
    await world.dispatches.requeue(await world.dispatches.take(DISPATCH_OPTIONS));
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: id }]);
  });

  it('finds what a dead worker left running', async () => {
    const { id } = await world.accept();
    await world.dispatches.take(DISPATCH_OPTIONS);
    await world.claim(id);
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
    await world.expireLease(id);
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: id }]);
    expect(await world.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
  });

  it('is fair: a tenant with much work does not keep another one waiting', async () => {
    for (let n = 0; n < 6; n += 1) await world.accept();
    const late = await world.accept({ tenantId: 'small' });
    const sent = await world.dispatches.take({ ...DISPATCH_OPTIONS, queueTarget: 2 });
    expect(sent).toHaveLength(2);
    expect(sent.map((execution) => execution.executionId)).toContain(late.id);
  });

  it('keeps the queue short and a tenant within its cap', async () => {
    for (let n = 0; n < 6; n += 1) await world.accept();
    expect(await world.dispatches.take({ ...DISPATCH_OPTIONS, tenantInFlightCap: 4 })).toHaveLength(4);
    expect(await world.dispatches.take({ ...DISPATCH_OPTIONS, tenantInFlightCap: 4 })).toHaveLength(0);
    expect(await world.dispatches.take({ ...DISPATCH_OPTIONS, queueTarget: 5 })).toHaveLength(1);
  });

  it('sends nothing twice when many dispatch at once', async () => {
    for (let n = 0; n < 20; n += 1) await world.accept();
    const batches = await Promise.all(
      Array.from({ length: 5 }, () => world.dispatches.take(DISPATCH_OPTIONS)),
    );
    const ids = batches.flat().map((execution) => execution.executionId);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });
});
