import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { UsageRecord } from '#libs/agent-core';
import type { ClaimedExtraction, MemoryProposal } from '#libs/executions';
import type { MemoriesBackend, Turn } from './memories-backend.js';

const LEASE_MS = 60_000;
const TAKE = { queueTarget: 100, tenantTarget: 100, redispatchAfterMs: 30_000 };
const spent = (tryNumber: number, state: UsageRecord['state'] = 'known'): UsageRecord => ({
  ...{
    scope: '',
    purpose: 'memory',
    round: 0,
    tryNumber,
    state,
    agentId: null,
    model: 'm',
    responseId: null,
  },
  ...{ costUsd: null, tokens: null },
});
const remembering = (...remember: string[]): MemoryProposal => ({ remember, update: [], forget: [] });

/** Contract of `MemoryExtractionStore`: which executions are learnt from, by which worker, and with which effect. */
export function describeExtractions(start: () => Promise<MemoriesBackend>): void {
  let backend: MemoriesBackend;
  beforeEach(async () => {
    backend = await start();
    await backend.configure({ memory: { enabled: true, max_facts: 3 } });
  });

  const complete = async (turn: Turn = {}): Promise<string> => {
    const { executionId, end } = await backend.accept(turn);
    await end();
    return executionId;
  };
  const claim = async (executionId: string): Promise<ClaimedExtraction> => {
    const claimed = await backend.extractions.claim(executionId, randomUUID(), LEASE_MS);
    if (claimed === null) throw new Error('nothing to claim');
    return claimed;
  };
  const isClaimable = async (executionId: string): Promise<boolean> =>
    (await backend.extractions.claim(executionId, randomUUID(), LEASE_MS)) !== null;
  const learn = async (proposal: MemoryProposal, turn: Turn = {}): Promise<string> => {
    const executionId = await complete(turn);
    await backend.extractions.learn(await claim(executionId), proposal, [spent(1)]);
    return executionId;
  };
  const listed = async (executorId = 'mara', tenantId = 'default') =>
    (await backend.memories.list(tenantId, { executorId, limit: 100 })).rows;
  const texts = async (executorId?: string, tenantId?: string) =>
    (await listed(executorId, tenantId)).map(({ text }) => text);
  const take = async (options: Partial<typeof TAKE> = {}) =>
    (await backend.extractions.take({ ...TAKE, ...options })).map(({ executionId }) => executionId);

  describe('an execution', () => {
    it('becomes a source of memories when it completes for an executor', async () => {
      const executionId = await complete({ input: 'I sing.' });
      expect(await take()).toEqual([executionId]);
      expect(await claim(executionId)).toMatchObject({
        ...{ tenantId: 'default', executorId: 'mara', agentId: 1, input: 'I sing.', isWanted: true },
        ...{ tryNumber: 1, recordedTry: 0, facts: [], settings: { enabled: true, max_facts: 3 } },
        llm: { isActive: true },
      });
    });

    it.each<[string, Turn]>([
      ['fails', { status: 'failed' }],
      ['has no executor', { executorId: null }],
      ['has an executor with an empty name', { executorId: '' }],
    ])('%s is no source of memories', async (_name, turn) => {
      const executionId = await complete(turn);
      expect(await take()).toEqual([]);
      expect(await isClaimable(executionId)).toBe(false);
    });

    it.each([
      [{}],
      [{ memory: { enabled: false } }],
      [{ memory: 'long' }],
      [{ memory: { enabled: 'true' } }],
    ])('by an agent with %j is no source of memories', async (config) => {
      await backend.configure(config);
      await complete();
      expect(await take()).toEqual([]);
    });
  });

  describe('dispatch', () => {
    it('sends what is due once, and what could not be sent again', async () => {
      const executionId = await complete();
      expect([await take(), await take()]).toEqual([[executionId], []]);
      await backend.extractions.requeue([{ executionId }]);
      expect(await take()).toEqual([executionId]);
      expect(await take({ redispatchAfterMs: 0 })).toEqual([executionId]);
    });

    it('keeps to what may wait, of one tenant too', async () => {
      for (const executorId of ['a', 'b', 'c', 'd']) await complete({ executorId });
      await complete({ tenantId: 'other' });
      expect(await take({ tenantTarget: 2 })).toHaveLength(3);
      expect(await take({ tenantTarget: 2 })).toHaveLength(0);
      expect(await take({ queueTarget: 4 })).toHaveLength(1);
    });

    it('sends those of one executor one after the other', async () => {
      const [first, second] = [await complete(), await complete()];
      expect(await take()).toEqual([first]);
      expect(await isClaimable(second)).toBe(false);
      await backend.extractions.learn(await claim(first), remembering('Sings.'), []);
      expect(await take()).toEqual([second]);
      expect(await claim(second)).toMatchObject({ facts: [{ text: 'Sings.', isPinned: false }] });
    });

    it('passes over what is held, and what is put off', async () => {
      const executionId = await complete();
      await backend.extractions.putOff(await claim(executionId), 60_000, []);
      expect([await take(), await isClaimable(executionId)]).toEqual([[], false]);
      await backend.endDelay(executionId);
      await claim(executionId);
      expect(await take()).toEqual([]);
      await backend.endLease(executionId);
      expect(await take()).toEqual([executionId]);
    });
  });

  describe('a try', () => {
    it('is one at a time, and what a lost worker proposes changes nothing', async () => {
      const executionId = await complete();
      const lost = await claim(executionId);
      expect(await isClaimable(executionId)).toBe(false);
      await backend.endLease(executionId);
      const held = await claim(executionId);
      expect(held).toMatchObject({ tryNumber: 2, recordedTry: 0 });
      expect(await backend.extractions.learn(lost, remembering('Lost.'), [])).toBe('lost');
      await backend.extractions.putOff(lost, 60_000, []);
      await backend.extractions.end(lost, 'given_up', []);
      expect(await backend.extractions.learn(held, remembering('Sings.'), [])).toBe('learnt');
      expect(await texts()).toEqual(['Sings.']);
    });

    it('is learnt of once', async () => {
      const executionId = await complete();
      const held = await claim(executionId);
      await backend.extractions.learn(held, remembering('Sings.'), []);
      expect(await backend.extractions.learn(held, remembering('Dances.'), [])).toBe('lost');
      expect([await isClaimable(executionId), await backend.outcomeOf(executionId)]).toEqual([
        false,
        'learnt',
      ]);
      expect(await texts()).toEqual(['Sings.']);
    });

    it('is accounted for, also one whose worker was lost, and once', async () => {
      const executionId = await complete();
      await claim(executionId);
      await backend.endLease(executionId);
      const second = await claim(executionId);
      await backend.extractions.putOff(second, 0, [spent(1, 'unknown'), spent(2, 'failed')]);
      const third = await claim(executionId);
      expect(third).toMatchObject({ tryNumber: 3, recordedTry: 2 });
      await backend.extractions.end(third, 'given_up', [spent(2), spent(3)]);
      expect(await backend.usage(executionId)).toEqual([
        { try: 1, state: 'unknown', tokens: null },
        { try: 2, state: 'failed', tokens: null },
        { try: 3, state: 'known', tokens: null },
      ]);
      expect(await backend.outcomeOf(executionId)).toBe('given_up');
    });
  });

  describe('an extracted memory', () => {
    it('belongs to the executor and the tenant only', async () => {
      const executionId = await learn(remembering('Sings.'));
      await learn(remembering('Dances.'), { executorId: 'otto' });
      await learn(remembering('Paints.'), { tenantId: 'other' });
      expect(await listed()).toMatchObject([
        { text: 'Sings.', origin: 'extraction', is_edited: false, agent_id: 1, execution_id: executionId },
      ]);
      expect(await texts('otto')).toEqual(['Dances.']);
      expect(await texts('mara', 'other')).toEqual(['Paints.']);
      expect((await claim(await complete({ executorId: 'otto' }))).facts).toMatchObject([
        { text: 'Dances.' },
      ]);
    });

    it('may change and forget what was learnt before', async () => {
      await learn(remembering('Sings.', 'Dances.'));
      const [sings, dances] = await listed();
      const executionId = await learn({
        remember: [],
        update: [{ id: sings?.id ?? 0, text: 'Sings opera.' }],
        forget: [dances?.id ?? 0],
      });
      expect(await listed()).toMatchObject([
        { id: sings?.id, text: 'Sings opera.', execution_id: executionId },
      ]);
      expect(await backend.memories.find('default', sings?.id ?? 0)).toMatchObject({ version: 2 });
    });

    it('is foreign after a turn whose model had read foreign content, until a person changes it', async () => {
      const isForeign = async () => (await listed()).map(({ is_foreign }) => is_foreign);
      await learn(remembering('Sings.'));
      expect(await isForeign()).toEqual([false]);
      await learn(remembering('Dances.'), { hasForeign: true });
      expect(await isForeign()).toEqual([false, true]);
      const [, dances] = await listed();
      await backend.memories.change('default', dances?.id ?? 0, 'Dances at night.', null);
      expect(await isForeign()).toEqual([false, false]);
    });

    it('is foreign where the model was shown a foreign fact', async () => {
      await learn(remembering('Sings.'));
      await learn(remembering('Dances.'), { hasForeign: true });
      const [sings] = await listed();
      const update = [{ id: sings?.id ?? 0, text: 'Sings opera.' }];
      await learn({ remember: ['Paints.'], update, forget: [] });
      expect((await listed()).map(({ text, is_foreign }) => [text, is_foreign])).toEqual([
        ['Sings opera.', true],
        ['Dances.', true],
        ['Paints.', true],
      ]);
      await learn(remembering('Writes.'), { executorId: 'otto' });
      expect(await listed('otto')).toMatchObject([{ is_foreign: false }]);
    });

    it('takes the place of what was learnt longest ago, never of what a person wrote', async () => {
      await backend.memories.create('default', 'mara', 'Lives in Bonn.');
      await learn(remembering('One.', 'Two.'));
      const [, one] = await listed();
      await learn({ remember: [], update: [{ id: one?.id ?? 0, text: 'One again.' }], forget: [] });
      await learn(remembering('Three.'));
      expect(await texts()).toEqual(['Lives in Bonn.', 'One again.', 'Three.']);
    });

    it('does not touch what a person has changed, nor bring back what it was', async () => {
      await learn(remembering('Sings.'));
      const [fact] = await listed();
      const id = fact?.id ?? 0;
      expect(await backend.memories.change('default', id, 'Sings opera.', null)).toMatchObject({
        view: { is_edited: true, origin: 'extraction' },
      });
      await learn({ remember: ['sings'], update: [{ id, text: 'Hums.' }], forget: [id] });
      expect(await texts()).toEqual(['Sings opera.']);
    });

    it('does not come back once a person has deleted it, unless a person writes it', async () => {
      await learn(remembering('Sings.'));
      const [fact] = await listed();
      await backend.memories.delete('default', fact?.id ?? 0, null);
      await learn(remembering('Sings!'));
      expect(await texts()).toEqual([]);
      await learn(remembering('Sings.'), { executorId: 'otto' });
      expect(await texts('otto')).toEqual(['Sings.']);
      expect(await backend.memories.create('default', 'mara', 'Sings.')).toMatchObject({ kind: 'created' });
    });

    it('is what is right by then: what a person deletes while a model is asked does not come back', async () => {
      await learn(remembering('Sings.'));
      const held = await claim(await complete());
      const [fact] = await listed();
      const id = fact?.id ?? 0;
      await backend.memories.delete('default', id, null);
      const proposal = { remember: ['Sings.'], update: [{ id, text: 'Sings opera.' }], forget: [] };
      await backend.extractions.learn(held, proposal, []);
      expect(await texts()).toEqual([]);
    });
  });

  describe('memories of a forgotten executor', () => {
    it('nothing comes back: not of what waits, nor of what is under way', async () => {
      const [held, waiting] = [await claim(await complete()), await complete()];
      await backend.memories.forget('default', 'mara');
      expect(await backend.extractions.learn(held, remembering('Sings.'), [spent(1)])).toBe('lost');
      const next = await backend.extractions.claim(waiting, randomUUID(), LEASE_MS);
      expect(next?.isWanted ?? false).toBe(false);
      expect(await texts()).toEqual([]);
      expect(await backend.usage(held.executionId)).toHaveLength(1);
    });

    it('nothing comes back of what was accepted before and ends later', async () => {
      const { executionId, end } = await backend.accept({});
      await backend.memories.forget('default', 'mara');
      await end();
      expect(await claim(executionId)).toMatchObject({ isWanted: false });
      const after = await complete({ executorId: 'otto' });
      expect(await claim(after)).toMatchObject({ isWanted: true });
    });

    it('is learnt of anew what is said later, also what was deleted once', async () => {
      await learn(remembering('Sings.'));
      const [fact] = await listed();
      await backend.memories.delete('default', fact?.id ?? 0, null);
      await backend.memories.forget('default', 'mara');
      await learn(remembering('Sings.'));
      expect(await texts()).toEqual(['Sings.']);
    });
  });
}
