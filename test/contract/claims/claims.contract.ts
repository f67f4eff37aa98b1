import { beforeEach, expect, it } from '@jest/globals';
import { LeaseLostError, type JournalBatch } from '#libs/agent-core';
import { aSettlement } from '../journal/a-settlement.js';
import type { ClaimBackend, TakenClaim } from './claim-backend.js';

const batch = (text: string): JournalBatch => ({
  entries: [{ kind: 'model_call_interrupted', round: 1, text }],
  runSteps: [],
});

/** How the rules of claims, leases and cancellation go together, whatever holds the execution. */
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

  it('lets the first one go on that comes back before anybody else has asked', async () => {
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

  it('gives nobody what has ended', async () => {
    const claim = await take();
    await claim.journal.settle(batch('end'), aSettlement());
    expect([await backend.status(), await backend.take()]).toEqual(['settled', null]);
    expect(await claim.renew()).toBe(false);
    await claim.release();
    await backend.requestCancel();
    expect([await backend.status(), await backend.take()]).toEqual(['settled', null]);
    expect(await backend.facts()).toEqual(['model_call_interrupted']);
  });

  it('gives nobody what waits for a person', async () => {
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

  it('says to whoever takes it that its time is up', async () => {
    const first = await take();
    await backend.endTime();
    expect([await backend.status(), await first.renew()]).toEqual(['running', true]);
    await first.release();
    expect(await take()).toMatchObject({ isLate: true });
  });
}
