import { beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_MEMORIES } from '#libs/policy';
import type { MemoriesBackend } from './memories-backend.js';

/** Contract of `MemoryStore`: persons list, write, change, delete and forget memories. */
export function describeMemories(start: () => Promise<MemoriesBackend>): void {
  let backend: MemoriesBackend;
  beforeEach(async () => {
    backend = await start();
  });

  const write = async (text: string, executorId = 'mara', tenantId = 'default'): Promise<number> => {
    const made = await backend.memories.create(tenantId, executorId, text);
    if (made.kind !== 'created') throw new Error(made.kind);
    return made.view.id;
  };
  const texts = async (filter: object = {}, tenantId = 'default') =>
    (await backend.memories.list(tenantId, { limit: 100, ...filter })).rows.map(({ text }) => text);

  it('is written on one line, and found by whose it is', async () => {
    const id = await write(' Likes\n tea. ');
    expect(await backend.memories.find('default', id)).toMatchObject({
      version: 1,
      view: { executor_id: 'mara', text: 'Likes tea.', origin: 'person', is_edited: false, agent_id: null },
    });
    expect(await backend.memories.find('other', id)).toBeNull();
    expect(await backend.memories.find('default', id + 1_000)).toBeNull();
  });

  it('is listed by executor, by agent, in pages, and never of another tenant', async () => {
    for (const text of ['a1', 'a2', 'a3']) await write(text);
    await write('b1', 'otto');
    await write('elsewhere', 'mara', 'other');
    expect(await texts()).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(await texts({ executorId: 'otto' })).toEqual(['b1']);
    expect(await texts({ agentId: 1 })).toEqual([]);
    expect(await texts({ executorId: 'mara' }, 'other')).toEqual(['elsewhere']);
    const { rows, hasMore } = await backend.memories.list('default', { limit: 2 });
    expect([rows.map(({ text }) => text), hasMore]).toEqual([['a1', 'a2'], true]);
    expect(await texts({ afterId: rows[1]?.id })).toEqual(['a3', 'b1']);
  });

  it('is there once of an executor, however it is written', async () => {
    await write('Likes tea.');
    expect(await backend.memories.create('default', 'mara', 'likes  TEA')).toEqual({ kind: 'exists' });
    expect(await write('Likes tea.', 'otto')).toBeGreaterThan(0);
    const id = await write('Likes coffee.');
    expect(await backend.memories.change('default', id, 'Likes tea!', null)).toEqual({ kind: 'exists' });
    expect(await backend.memories.change('default', id, 'Likes coffee!', null)).toMatchObject({
      kind: 'changed',
    });
  });

  it('is changed and deleted in the version that is expected', async () => {
    const id = await write('Likes tea.');
    const change = (expected: number[] | null, tenantId = 'default') =>
      backend.memories.change(tenantId, id, 'Likes coffee.', expected);
    expect(await change([2])).toEqual({ kind: 'other_version' });
    expect(await change(null, 'other')).toEqual({ kind: 'not_found' });
    expect(await change([1])).toMatchObject({
      kind: 'changed',
      version: 2,
      view: { text: 'Likes coffee.', is_edited: false },
    });
    expect(await backend.memories.delete('default', id, [1])).toBe('other_version');
    expect(await backend.memories.delete('other', id, null)).toBe('not_found');
    expect(await backend.memories.delete('default', id, [2])).toBe('deleted');
    expect(await backend.memories.delete('default', id, null)).toBe('not_found');
    expect(await texts()).toEqual([]);
  });

  it('is bounded, however many are written at the same time', async () => {
    for (let count = 0; count < MAX_MEMORIES - 1; count += 1) await write(`fact ${count}`);
    const made = await Promise.all(
      ['x', 'y', 'z'].map((text) => backend.memories.create('default', 'mara', text)),
    );
    expect(made.map(({ kind }) => kind).sort()).toEqual(['created', 'too_many', 'too_many']);
    expect(await write('of somebody else', 'otto')).toBeGreaterThan(0);
  });

  describe('memories of a forgotten executor', () => {
    it('are deleted, and those of other executors stay', async () => {
      await write('Likes tea.');
      await write('Likes tea.', 'otto');
      await write('Likes tea.', 'mara', 'other');
      await backend.memories.forget('default', 'mara');
      await backend.memories.forget('default', 'nobody');
      expect(await texts({ executorId: 'mara' })).toEqual([]);
      expect(await texts({ executorId: 'otto' })).toHaveLength(1);
      expect(await texts({ executorId: 'mara' }, 'other')).toHaveLength(1);
    });
  });
}
