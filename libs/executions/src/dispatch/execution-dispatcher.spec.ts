import { describe, expect, it } from '@jest/globals';
import { executionsOf } from '#libs/payloads';
import { aSubmission } from '../../../../test/support/builders/submission.js';
import { ExecutionsAtWork, ROOM_ENOUGH } from '../../../../test/support/fakes/executions-at-work.js';
import { ExecutionDispatcher, groupForJobs } from './execution-dispatcher.js';

/** A dispatcher over executions in memory, and a queue that can be unavailable. */
function aDispatcher() {
  const work = new ExecutionsAtWork();
  const sent: string[] = [];
  const errors: unknown[] = [];
  const queue = { isAway: false, onSend: () => Promise.resolve() };
  let jobs = 0;
  const dispatcher = new ExecutionDispatcher({
    store: work.dispatches,
    options: ROOM_ENOUGH,
    newJobId: () => `job ${(jobs += 1)}`,
    send: async (due) => {
      await queue.onSend();
      if (queue.isAway) throw new Error('the queue is away');
      sent.push(...due.flatMap(({ payload }) => executionsOf(payload)));
    },
    onError: (error) => errors.push(error),
  });
  const accept = async () => {
    const submission = aSubmission();
    await work.acceptances.accept(submission);
    return submission.executionId;
  };
  return { work, dispatcher, sent, errors, queue, accept };
}

/** Lets all pending work run until it waits for the test. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('ExecutionDispatcher', () => {
  it('sends jobs for the executions that can run', async () => {
    const { dispatcher, sent, accept } = aDispatcher();
    const ids = [await accept(), await accept()];
    expect([await dispatcher.dispatch(), sent]).toEqual([2, ids]);
    expect([await dispatcher.dispatch(), sent]).toEqual([0, ids]);
  });

  it('has what it could not send due at once again', async () => {
    const { dispatcher, sent, queue, accept } = aDispatcher();
    const id = await accept();
    queue.isAway = true;
    await expect(dispatcher.dispatch()).rejects.toThrow('the queue is away');
    queue.isAway = false;
    expect([await dispatcher.dispatch(), sent]).toEqual([1, [id]]);
  });

  it('reports a failure of a triggered dispatch, and goes on with the next trigger', async () => {
    const { dispatcher, sent, errors, queue, accept } = aDispatcher();
    const id = await accept();
    queue.isAway = true;
    dispatcher.trigger();
    await settled();
    expect([errors.length, sent]).toEqual([1, []]);
    queue.isAway = false;
    dispatcher.trigger();
    await settled();
    expect(sent).toEqual([id]);
  });

  it('looks once more for all the triggers that came while it was sending', async () => {
    const { dispatcher, sent, queue, accept } = aDispatcher();
    const first = await accept();
    const isSending = Promise.withResolvers<undefined>();
    queue.onSend = () => isSending.promise;
    dispatcher.trigger();
    await settled();
    const second = await accept();
    dispatcher.trigger();
    dispatcher.trigger();
    await settled();
    expect(sent).toEqual([]);
    isSending.resolve(undefined);
    await settled();
    expect(sent).toEqual([first, second]);
  });
});

const due = (count: number) => Array.from({ length: count }, (_, index) => ({ executionId: `e${index}` }));

describe('groupForJobs', () => {
  it.each([
    { count: 0, sizes: [] },
    { count: 1, sizes: [1] },
    { count: 2, sizes: [1, 1] },
    { count: 5, sizes: [3, 2] },
    { count: 32, sizes: [16, 16] },
    { count: 50, sizes: [16, 16, 16, 2] },
    { count: 70, sizes: [16, 16, 16, 16, 6] },
  ])('spreads $count over jobs of $sizes', ({ count, sizes }) => {
    expect(groupForJobs(due(count)).map((group) => group.length)).toEqual(sizes);
  });

  it('keeps all of them, in their order', () => {
    const all = due(50);
    expect(groupForJobs(all).flat()).toEqual(all.map(({ executionId }) => executionId));
  });
});
