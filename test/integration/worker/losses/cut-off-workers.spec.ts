import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import type { AttemptDependencies } from '#libs/executions';
import { ToolSource, type ToolCatalogue } from '#libs/tooling';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

describe('an execution goes back into the line when its worker was cut off, however often, and is not poisoned by it', () => {
  it('while the model was asked', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const leases = world.makeLeases();
      const cutOff: ModelPort = {
        call: (_request, _onDelta, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stop')), { once: true });
            leases.fenceAll();
          }),
      };
      expect(await world.run(id, cutOff, [], { leases })).toMatchObject({ status: 'queued', attempt });
    }
    await expectCompleted(id);
  });

  it('while its run was prepared', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const leases = world.makeLeases();
      class CutOffSource extends ToolSource {
        override load(): Promise<ToolCatalogue> {
          leases.fenceAll();
          return new Promise(() => undefined);
        }
      }
      const dependencies = { leases, tools: new CutOffSource() };
      expect(await world.run(id, NEVER_ASKED, [], dependencies)).toMatchObject({ status: 'queued', attempt });
    }
    await expectCompleted(id);
  });
});

describe('an execution whose write was refused', () => {
  it('is lost by a worker that was cut off, too, even if a crash of the database forgets who took over', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    const leases = world.makeLeases();
    const { journalOf } = world;
    const refused: AttemptDependencies['journalOf'] = (claim, ...rest) => {
      const journal = journalOf(claim, ...rest);
      const settle = journal.settle.bind(journal);
      journal.settle = async (...call) => {
        await world.dataSource.query(`UPDATE execution SET claim_token = gen_random_uuid() WHERE id = $1`, [
          id,
        ]);
        try {
          return await settle(...call);
        } finally {
          leases.fenceAll();
          await world.dataSource.query('UPDATE execution SET claim_token = $2 WHERE id = $1', [
            id,
            claim.token,
          ]);
        }
      };
      return journal;
    };
    const late = new SequenceModel([aModelAnswer({ text: 'too late' })]);
    const running = await world.run(id, late, [], { leases, journalOf: refused });
    expect(running).toMatchObject({ status: 'running', attempt: 1 });

    await world.expireLease(id);
    const view = await world.run(id, new SequenceModel([aModelAnswer({ text: 'at last' })]));
    expect(view).toMatchObject({ status: 'completed', attempt: 2 });
    const usage = await world.dataSource.query<{ state: string }[]>(
      'SELECT state FROM usage_log WHERE execution_id = $1 ORDER BY try_number',
      [id],
    );
    expect(usage.map(({ state }) => state)).toEqual(['unknown', 'known']);
  });
});

const NEVER_ASKED = new SequenceModel([]);

async function expectCompleted(id: string): Promise<void> {
  const view = await world.run(id, new SequenceModel([aModelAnswer({ text: 'at last' })]));
  expect(view).toMatchObject({ status: 'completed', attempt: 5 });
}
