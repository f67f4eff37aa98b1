import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { aModelAnswer } from '../../support/builders/model-answer.js';
import { SequenceModel } from '../../support/fakes/scripted-model.js';
import { WorkerWorld } from './worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

it('an execution goes back into the line when its worker was cut off, however often, and is not poisoned by it', async () => {
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
  expect(await world.run(id, new SequenceModel([aModelAnswer({ text: 'at last' })]))).toMatchObject({
    status: 'completed',
    attempt: 5,
  });
});
