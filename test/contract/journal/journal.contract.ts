import { beforeEach, expect, it } from '@jest/globals';
import { LeaseLostError, type JournalBatch, type JournalEntry } from '#libs/agent-core';
import type { RunStep } from '#libs/agent-core';
import { aSettlement } from './a-settlement.js';
import type { JournalBackend } from './journal-backend.js';

const fact = (text: string): JournalEntry => ({ kind: 'model_call_interrupted', round: 1, text });
const batch = (...texts: string[]): JournalBatch => ({ entries: texts.map(fact), runSteps: [] });
const STEP: RunStep = {
  scope: '',
  round: 1,
  position: 0,
  callId: 'c',
  toolName: 't',
  effect: null,
  input: { a: 1 },
  sentInput: null,
  output: null,
  status: 'started',
  startedAt: null,
  finishedAt: null,
  error: null,
};
const SETTLEMENT = aSettlement();

/** Contract of `Journal` that every backend keeps. */
export function describeJournal(start: () => Promise<JournalBackend>): void {
  let backend: JournalBackend;
  beforeEach(async () => {
    backend = await start();
  });

  const textsOf = async (): Promise<string[]> =>
    (await backend.reopen().read()).map((entry) => ('text' in entry ? entry.text : entry.kind));

  it('begins empty and reports its facts in the order in which they were written', async () => {
    const journal = await backend.claim();
    expect(await journal.read()).toEqual([]);
    await journal.append(batch('a', 'b'));
    await journal.append(batch('c'));
    expect(await journal.read()).toEqual([fact('a'), fact('b'), fact('c')]);
  });

  it('keeps what a database can store of a text', async () => {
    const journal = await backend.claim();
    await journal.append(batch('a\u0000b \ud800'));
    expect(await textsOf()).toEqual(['ab \ufffd']);
  });

  it('writes audit rows with their facts, and overwrites them with the outcome', async () => {
    const journal = await backend.claim();
    await journal.append({ ...batch('a'), runSteps: [STEP, { ...STEP, position: 1 }] });
    await journal.append({ entries: [], runSteps: [{ ...STEP, status: 'succeeded', output: {} }] });
    expect(await backend.stepStatuses()).toEqual(['succeeded', 'started']);
  });

  it('lets the next worker go on after what the last one wrote', async () => {
    await (await backend.claim()).append(batch('a'));
    const next = await backend.claim();
    expect(await next.read()).toEqual([fact('a')]);
    await next.append(batch('b'));
    expect(await textsOf()).toEqual(['a', 'b']);
    expect(await backend.epochs()).toEqual([1, 2]);
  });

  it.each<[string, (old: Awaited<ReturnType<JournalBackend['claim']>>) => Promise<unknown>]>([
    ['append', (old) => old.append({ ...batch('ghost'), runSteps: [STEP] })],
    ['append nothing', (old) => old.append({ entries: [], runSteps: [] })],
    ['park', (old) => old.park({ ...batch('ghost'), runSteps: [STEP] }, [])],
    ['settle', (old) => old.settle({ ...batch('ghost'), runSteps: [STEP] }, SETTLEMENT)],
  ])('does not let an overtaken worker %s, and keeps nothing of it', async (_name, write) => {
    const old = await backend.claim();
    await old.read();
    await old.append(batch('a'));
    const current = await backend.claim();
    await current.read();
    await expect(write(old)).rejects.toThrow(LeaseLostError);
    expect(await textsOf()).toEqual(['a']);
    expect([await backend.stepStatuses(), await backend.settlements()]).toEqual([[], 0]);
    await current.append(batch('b'));
    expect(await textsOf()).toEqual(['a', 'b']);
  });

  it('shows an overtaken worker nothing of what its successor wrote', async () => {
    const old = await backend.claim();
    const current = await backend.claim();
    await current.read();
    await current.append(batch('a'));
    await expect(old.read()).rejects.toThrow(LeaseLostError);
    expect(await textsOf()).toEqual(['a']);
  });

  it('does not let an attempt pass for a later one whose epoch is the same', async () => {
    const old = await backend.claim();
    await old.read();
    await backend.forgetClaim();
    const current = await backend.claim();
    await current.read();
    await expect(old.append({ ...batch('ghost'), runSteps: [STEP] })).rejects.toThrow(LeaseLostError);
    await expect(old.park(batch('ghost'), [])).rejects.toThrow(LeaseLostError);
    await expect(old.settle(batch('ghost'), SETTLEMENT)).rejects.toThrow(LeaseLostError);
    await current.append(batch('a'));
    expect([await textsOf(), await backend.epochs()]).toEqual([['a'], [1]]);
  });

  it('takes nothing any more once it is settled', async () => {
    const journal = await backend.claim();
    await journal.settle(batch('end'), SETTLEMENT);
    await expect(journal.append(batch('late'))).rejects.toThrow(LeaseLostError);
    await expect(journal.park(batch('late'), [])).rejects.toThrow(LeaseLostError);
    await expect(journal.settle(batch('late'), SETTLEMENT)).rejects.toThrow(LeaseLostError);
    expect([await textsOf(), await backend.settlements()]).toEqual([['end'], 1]);
  });

  it('takes nothing while it is parked, and goes on with the next claim', async () => {
    const parking = await backend.claim();
    await parking.park(batch('a'), []);
    await expect(parking.append(batch('late'))).rejects.toThrow(LeaseLostError);
    await expect(parking.settle(batch('late'), SETTLEMENT)).rejects.toThrow(LeaseLostError);
    await backend.unpark();
    const next = await backend.claim();
    await next.read();
    await next.settle(batch('b'), SETTLEMENT);
    expect([await textsOf(), await backend.settlements()]).toEqual([['a', 'b'], 1]);
  });

  it('lets one of two that settle at once win', async () => {
    const first = await backend.claim();
    const second = backend.reopen();
    const ends = await Promise.allSettled([
      first.settle(batch('one'), SETTLEMENT),
      second.settle(batch('two'), SETTLEMENT),
    ]);
    expect(ends.map((end) => end.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([(await textsOf()).length, await backend.settlements()]).toEqual([1, 1]);
  });

  it('refuses facts in the place of those that another journal of the same claim wrote', async () => {
    const first = await backend.claim();
    const second = backend.reopen();
    await first.read();
    await second.read();
    await first.append(batch('a'));
    await expect(second.append({ ...batch('b'), runSteps: [STEP] })).rejects.toThrow();
    expect([await textsOf(), await backend.stepStatuses()]).toEqual([['a'], []]);
  });
}
