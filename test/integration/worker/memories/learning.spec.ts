import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { SessionChangesStore } from '#libs/persistence';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { MemoryWorld, remembering } from '../memory-world.js';

let on: MemoryWorld;
beforeAll(async () => {
  on = await MemoryWorld.open();
});
afterAll(() => on.world.close());
beforeEach(() => on.clear());

describe('learning of an execution', () => {
  /** Expires the lease of the extraction, as if its worker had died during a try. */
  const letLeaseEnd = (id: string) =>
    on.world.dataSource.query(
      `UPDATE memory_extraction SET lease_expires_at = now() - interval '1 second' WHERE execution_id = $1`,
      [id],
    );

  it('goes on in another worker, and what the lost one asked is accounted for', async () => {
    const { id } = await on.speak('I sing.');
    const dying: ModelPort = {
      call: async () => {
        await letLeaseEnd(id);
        await on.learn(id, new SequenceModel([remembering('Sings.', 'I sing')]));
        return remembering('Sings, says the lost one.', 'I sing');
      },
    };
    await on.learn(id, dying);

    expect(await on.texts()).toEqual(['Sings.']);
    expect(await on.usageOf(id)).toMatchObject([
      { try_number: 1, state: 'unknown' },
      { try_number: 2, state: 'known' },
    ]);
  });

  it('extracts nothing when the session was deleted in between, but its cost is kept', async () => {
    const { id, sessionId } = await on.speak('I sing.');
    const deleting: ModelPort = {
      call: async () => {
        await new SessionChangesStore(on.world.dataSource).delete('default', sessionId);
        return remembering('Sings.', 'I sing');
      },
    };
    await on.learn(id, deleting);
    expect(await on.texts()).toEqual([]);
    expect(await on.usageOf(id)).toMatchObject([{ state: 'known', is_alone: true }]);
  });

  it('leaves what it has learnt where its session is deleted later', async () => {
    const { id, sessionId } = await on.speak('I sing.');
    await on.learn(id, new SequenceModel([remembering('Sings.', 'I sing')]));
    expect(await new SessionChangesStore(on.world.dataSource).delete('default', sessionId)).toBe('deleted');
    expect((await on.memories.list('default', { limit: 10 })).rows).toMatchObject([{ execution_id: id }]);
  });

  it('brings nothing back of an executor who is forgotten while a model is asked', async () => {
    const { id } = await on.speak('I sing.');
    const forgetting: ModelPort = {
      call: async () => {
        await on.memories.forget('default', 'mara');
        return remembering('Sings.', 'I sing');
      },
    };
    await on.learn(id, forgetting);
    expect(await on.texts()).toEqual([]);
    expect(await on.usageOf(id)).toMatchObject([{ state: 'known' }]);
  });

  it('asks the model that the agent names for it', async () => {
    const [llm] = await on.world.dataSource.query<{ id: number }[]>(
      `INSERT INTO llm (tenant_id, name, provider, model) VALUES ('default', 'cheap', 'openai', 'cheap-model') RETURNING id`,
    );
    await on.world.offer([], { memory: { enabled: true, llm: llm?.id } });
    const { id } = await on.speak('I sing.');
    const asked = new SequenceModel([remembering('Sings.', 'I sing')]);
    await on.learn(id, asked);
    expect(asked.requests[0]?.model).toBe('cheap-model');
  });

  it('never asks the model of another tenant', async () => {
    const [llm] = await on.world.dataSource.query<{ id: number }[]>(
      `SELECT id FROM llm WHERE tenant_id = 'other'`,
    );
    await on.world.offer([], { memory: { enabled: true, llm: llm?.id } });
    const { id } = await on.speak('I sing.');
    const asked = new SequenceModel([]);
    await on.learn(id, asked);
    expect(asked.requests).toEqual([]);
    expect(await on.extractions.claim(id, randomUUID(), 1_000)).toBeNull();
  });
});
