import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
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

const NEVER_ASKED = new SequenceModel([]);

async function expectCompleted(id: string): Promise<void> {
  const view = await world.run(id, new SequenceModel([aModelAnswer({ text: 'at last' })]));
  expect(view).toMatchObject({ status: 'completed', attempt: 5 });
}
