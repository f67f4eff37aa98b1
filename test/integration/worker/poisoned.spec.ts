import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { WorkerWorld } from './worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const answer = (text: string) => new ScriptedModel([aModelAnswer({ text })]);

async function rows<T>(sql: string, id: string): Promise<T[]> {
  return world.dataSource.query(sql, [id]);
}

describe('an execution whose workers end without a word', () => {
  it('gives up an execution that killed two processes which held nothing else, and prices what it spent until then', async () => {
    const tools = [aTool('look', { effect: 'read' })];
    await world.offer(tools);
    const { id } = await world.submit();
    const dying: ModelPort = {
      call: async (request) => {
        if (request.messages.length === 2) return aModelAnswer({ toolCalls: [aCall('look', 'c1')] });
        // As after the deaths of two isolated processes.
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
    const spent = await rows<{ cost_usd: string }>(
      'SELECT cost_usd FROM usage_log WHERE execution_id = $1',
      id,
    );
    expect(spent.map(({ cost_usd }) => Number(cost_usd))).toEqual([0.25]);
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
