import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const answer = (text: string) => new ScriptedModel([aModelAnswer({ text })]);

async function rows<T>(sql: string, id: string): Promise<T[]> {
  return world.dataSource.query(sql, [id]);
}

describe('an execution whose workers end without an outcome', () => {
  it('gives up an execution that killed two processes which held nothing else, and prices what it spent until then', async () => {
    const tools = [aTool('look', { effect: 'read' })];
    await world.offer(tools);
    const { id } = await world.submit();
    const dying: ModelPort = {
      call: async (request) => {
        if (request.messages.length === 2) return aModelAnswer({ toolCalls: [aCall('look', 'c1')] });
        // The state after the deaths of two isolated processes.
        await world.dataSource.query(`UPDATE execution SET isolated_deaths = 2 WHERE id = $1`, [id]);
        await world.expireLease(id);
        await world.run(id, answer('never'), tools);
        return aModelAnswer({ text: 'too late' });
      },
    };
    expect(await world.run(id, dying, tools)).toMatchObject({
      status: 'failed',
      error: { code: 'POISONED' },
      usage: { total_tokens: 15, total_cost_usd: '0.25' },
    });
    expect(
      await rows('SELECT round, state, cost_usd FROM usage_log WHERE execution_id = $1 ORDER BY round', id),
    ).toEqual([
      { round: 1, state: 'known', cost_usd: '0.25' },
      // The process died during this model call.
      { round: 2, state: 'unknown', cost_usd: null },
    ]);
  });

  it('goes back into the line when no process can be started for it, and ends at its deadline all the same', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    await world.dataSource.query(
      `UPDATE execution SET lost_attempts = 9, status = 'running', lease_expires_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    const run = () => Promise.reject(new Error('spawn ENOMEM'));
    const isolation = {
      reserve: () => ({ run, release: () => undefined }),
      prepare: () => undefined,
    };
    expect(await world.run(id, answer('never'), [], { isolation })).toMatchObject({ status: 'queued' });
    expect(
      await rows(
        `SELECT lease_owner, isolated_deaths, due_at > now() AS waits, deadline_at < due_at + interval '299 seconds' AS is_ageing
           FROM execution WHERE id = $1`,
        id,
      ),
    ).toEqual([{ lease_owner: null, isolated_deaths: 0, waits: true, is_ageing: true }]);
    await rows(
      `UPDATE execution SET due_at = now(), deadline_at = now() - interval '1 second' WHERE id = $1`,
      id,
    );
    expect(await world.run(id, answer('never'), [], { isolation })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'timeout' },
    });
  });

  it('waits for a place of its own, which is prepared, without being claimed, so that no delay grows by it', async () => {
    await world.offer([]);
    const suspects = [await world.submit(), await world.submit(), await world.submit()];
    const ids = suspects.map(({ id }) => id);
    await world.dataSource.query(`UPDATE execution SET lost_attempts = 2 WHERE id = ANY($1)`, [ids]);
    let asked = 0;
    const isolation = { reserve: () => null, prepare: () => void (asked += 1) };
    const worker = world.useCase(answer('never'), [], { isolation });
    await Promise.all(ids.map((id) => worker.execute(id, new AbortController().signal)));
    expect(asked).toBe(3);
    const claims = await world.dataSource.query<{ epoch: number }[]>(
      'SELECT epoch FROM execution WHERE id = ANY($1) ORDER BY epoch',
      [ids],
    );
    expect(claims.map(({ epoch }) => epoch)).toEqual([0, 0, 0]);
  });

  it('is not given up because its workers were lost, however often', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    await world.dataSource.query(
      `UPDATE execution SET lost_attempts = 9, status = 'running', lease_expires_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect(await world.run(id, answer('at last'))).toMatchObject({ status: 'completed' });
  });
});
