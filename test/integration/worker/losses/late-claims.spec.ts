import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ExecutionClaimStore } from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

it('a worker that was late to renew a lease does not take its own execution away from itself', async () => {
  let effects = 0;
  const charge = aTool('charge', {
    effect: 'unsafe',
    run: async () => {
      effects += 1;
      await world.expireLease(id);
      await worker.execute(id, new AbortController().signal);
      return { result: { status: 'success', result: { message: 'charged' } } };
    },
  });
  await world.offer([charge]);
  const { id } = await world.submit();
  const model = new SequenceModel([
    aModelAnswer({ toolCalls: [aCall('charge', 'c1')] }),
    aModelAnswer({ text: 'charged' }),
  ]);
  const worker = world.useCase(model, [charge]);
  await worker.execute(id, new AbortController().signal);
  expect(await world.executions.find('default', id)).toMatchObject({ status: 'completed', attempt: 1 });
  expect(effects).toBe(1);
});

it('a claim without an answer that is granted after it was released is released again', async () => {
  await world.offer([]);
  const { id } = await world.submit();
  const real = new ExecutionClaimStore(world.dataSource);
  let land: () => Promise<unknown> = () => Promise.resolve();
  let isReleased = false;
  const claims = Object.assign(new ExecutionClaimStore(world.dataSource), {
    claim: (...asked: Parameters<typeof real.claim>) => {
      land = () => real.claim(...asked);
      return Promise.reject(new Error('Query read timeout'));
    },
    release: async (fence: Parameters<typeof real.release>[0]) => {
      const answer = await real.release(fence);
      if (answer) isReleased = true;
      else await land();
      return answer;
    },
  });
  await expect(world.run(id, new SequenceModel([]), [], { claims })).rejects.toThrow('Query read timeout');
  await waitFor(() => Promise.resolve(isReleased), { description: 'the claim to be released' });
  expect(await world.executions.find('default', id)).toMatchObject({ status: 'queued' });
});
