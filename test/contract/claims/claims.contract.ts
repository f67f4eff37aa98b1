import { beforeEach, expect, it } from '@jest/globals';
import { LeaseLostError, type JournalBatch, type JournalEntry } from '#libs/agent-core';
import { aSettlement } from '../journal/a-settlement.js';
import type { ClaimBackend, TakenClaim } from './claim-backend.js';

const batch = (text: string): JournalBatch => ({
  entries: [{ kind: 'model_call_interrupted', round: 1, text }],
  runSteps: [],
});

/** Contract of claims, leases and cancellation that every backend keeps. */
export function describeClaims(start: () => Promise<ClaimBackend>): void {
  let backend: ClaimBackend;
  beforeEach(async () => {
    backend = await start();
  });

  const take = async (): Promise<TakenClaim> => {
    const claim = await backend.take();
    if (claim === null) throw new Error('expected a claim');
    await claim.journal.read();
    return claim;
  };

  it('gives an execution to one worker only', async () => {
    expect(await take()).toMatchObject({ epoch: 1, attempt: 1, isCancelled: false, isLate: false });
    expect(await backend.take()).toBeNull();
    expect(await backend.status()).toBe('running');
  });

  it('gives it to the next one when the first was silent for too long, and takes nothing from the first any more', async () => {
    const first = await take();
    await backend.endLease();
    expect(await take()).toMatchObject({ epoch: 2, attempt: 2 });
    expect(await first.renew()).toBe(false);
    await expect(first.journal.append(batch('late'))).rejects.toThrow(LeaseLostError);
    await first.release();
    expect([await backend.status(), await backend.take()]).toEqual(['running', null]);
    expect(await backend.facts()).toEqual([]);
  });

  it('lets the first worker continue that returns before another claim', async () => {
    const first = await take();
    await backend.endLease();
    await first.journal.append(batch('in time'));
    expect(await first.renew()).toBe(true);
    expect(await backend.take()).toBeNull();
    expect(await backend.facts()).toEqual(['model_call_interrupted']);
  });

  it('accepts a release once, and gives it to the next', async () => {
    const first = await take();
    await first.release();
    expect([await backend.status(), await first.renew()]).toEqual(['queued', false]);
    await expect(first.journal.append(batch('late'))).rejects.toThrow(LeaseLostError);
    expect(await take()).toMatchObject({ epoch: 2, attempt: 2 });
    await first.release();
    expect(await backend.status()).toBe('running');
  });

  it('claims no settled execution', async () => {
    const claim = await take();
    await claim.journal.settle(batch('end'), aSettlement());
    expect([await backend.status(), await backend.take()]).toEqual(['settled', null]);
    expect(await claim.renew()).toBe(false);
    await claim.release();
    await backend.requestCancel();
    expect([await backend.status(), await backend.take()]).toEqual(['settled', null]);
    expect(await backend.facts()).toEqual(['model_call_interrupted']);
  });

  it('claims no execution that waits for a person', async () => {
    const claim = await take();
    await claim.journal.park(batch('wait'), []);
    await backend.endLease();
    expect([await backend.status(), await backend.take(), await claim.renew()]).toEqual([
      'requires_action',
      null,
      false,
    ]);
  });

  it('ends at once what is cancelled before it was ever claimed', async () => {
    await backend.requestCancel();
    expect([await backend.status(), await backend.take()]).toEqual(['settled', null]);
    await backend.requestCancel();
    expect(await backend.facts()).toEqual(['cancellation_requested', 'execution_settled']);
  });

  it('leaves to its worker what is cancelled while it runs, and to the next worker if that one is silent', async () => {
    const first = await take();
    await backend.requestCancel();
    expect([await backend.status(), await first.renew(), await backend.facts()]).toEqual([
      'running',
      true,
      [],
    ]);
    await backend.endLease();
    expect(await take()).toMatchObject({ attempt: 2, isCancelled: true });
  });

  it('leaves to the next worker what is cancelled while it waits for one again', async () => {
    await (await take()).release();
    await backend.requestCancel();
    expect([await backend.status(), await backend.facts()]).toEqual(['queued', []]);
    expect(await take()).toMatchObject({ attempt: 2, isCancelled: true });
  });

  it('reports a passed deadline to the claiming worker', async () => {
    const first = await take();
    await backend.endTime();
    expect([await backend.status(), await first.renew()]).toEqual(['running', true]);
    await first.release();
    expect(await take()).toMatchObject({ isLate: true });
  });

  /** Lets one attempt per argument lose its lease, after it appended the fact unless that is null. */
  const lose = async (...facts: (JournalEntry | null)[]): Promise<void> => {
    for (const fact of facts) {
      const { journal } = await take();
      if (fact !== null) await journal.append({ entries: [fact], runSteps: [] });
      await backend.endLease();
    }
  };
  const PROGRESS: JournalEntry = { kind: 'tool_call_started', round: 1, position: 0 };
  const LOST_CALL: JournalEntry = { kind: 'model_call_lost', round: 1, model: 'm' };
  const NO_ROOM = { canIsolate: false };

  it('suspects what was lost twice in a row, and gives it only to who can isolate it, after a while', async () => {
    await lose(null, null);
    expect(await backend.take(NO_ROOM)).toBeNull();
    expect(await backend.take()).toBeNull();
    await backend.endDelay();
    expect(await backend.take()).toMatchObject({ attempt: 3, isSuspect: true, isPoisoned: false });
  });

  it.each<[string, JournalEntry | null, JournalEntry | null, boolean]>([
    ['forgives the losses before an attempt that got anywhere', null, PROGRESS, false],
    ['counts the loss of an attempt that got anywhere', PROGRESS, null, true],
    ['takes the record of a lost model call for no progress', null, LOST_CALL, true],
  ])('%s', async (_rule, first, second, isSuspect) => {
    await lose(first, second);
    expect(await take()).toMatchObject({ isSuspect });
  });

  it('counts no release, and nothing that waited for a better time, as a loss', async () => {
    await lose(null);
    await (await take()).release();
    expect(await (await take()).requeueWithBackoff()).toBe(true);
    await backend.endDelay();
    expect(await (await take()).postpone()).toBe(true);
    await backend.endDelay();
    expect(await (await take()).requeueCutOff()).toBe(true);
    await backend.endDelay();
    expect(await take()).toMatchObject({ isSuspect: false });
  });

  it.each([
    ['requeueWithBackoff', 2],
    ['requeueCutOff', 2],
    ['postpone', 1],
  ] as const)(
    'claims no postponed execution before it is due (%s), and postpones none that another worker holds',
    async (putOff, attempt) => {
      const first = await take();
      expect(await first[putOff]()).toBe(true);
      expect([await backend.status(), await backend.take()]).toEqual(['queued', null]);
      await backend.endDelay();
      expect(await take()).toMatchObject({ attempt });
      expect([await first[putOff](), await backend.status()]).toEqual([false, 'running']);
    },
  );

  it('holds nothing against an execution but deaths in isolation, and gives it to be ended when there were enough', async () => {
    await lose(null, null, null, null);
    const first = await take();
    expect([first.isSuspect, first.isPoisoned, first.needsFreshProcess]).toEqual([true, false, false]);
    expect(await first.dieInIsolation(2)).toBe('requeued');
    expect([await first.dieInIsolation(2), await backend.take()]).toEqual([null, null]);
    await backend.endDelay();
    const second = await take();
    expect(second.needsFreshProcess).toBe(true);
    expect(await second.dieInIsolation(2)).toBe('poisoned');
    expect([await backend.status(), await backend.take()]).toEqual(['running', null]);
    await backend.endLease();
    expect(await backend.take(NO_ROOM)).toMatchObject({ isPoisoned: true, isSuspect: false });
  });

  it.each<[string, () => Promise<void>]>([
    ['cancelled', () => backend.requestCancel()],
    ['too late', () => backend.endTime()],
  ])('gives a suspect that is %s to any worker, to be ended', async (_why, end) => {
    await lose(null, null);
    await end();
    expect(await backend.take(NO_ROOM)).toMatchObject({ isSuspect: false });
  });

  it('reports a lost attempt until the next write, over any claims in between', async () => {
    await lose(null);
    const second = await take();
    expect(second.followsLostAttempt).toBe(true);
    await second.release();
    const third = await take();
    expect(third.followsLostAttempt).toBe(true);
    await third.journal.append({ entries: [PROGRESS], runSteps: [] });
    await third.release();
    const fourth = await take();
    expect(fourth.followsLostAttempt).toBe(false);
    await fourth.dieInIsolation(2);
    await backend.endDelay();
    expect(await take()).toMatchObject({ followsLostAttempt: true });
  });

  it('says the same of an attempt that was cut off, and nothing of one that was released or said what it gave up', async () => {
    await (await take()).requeueCutOff();
    await backend.endDelay();
    const second = await take();
    expect(second.followsLostAttempt).toBe(true);
    await second.journal.append({ entries: [PROGRESS], runSteps: [] });
    await second.requeueWithBackoff();
    await backend.endDelay();
    const third = await take();
    expect(third.followsLostAttempt).toBe(false);
    await third.journal.append(batch('given up'));
    await backend.endLease();
    expect(await take()).toMatchObject({ followsLostAttempt: false });
  });
}
