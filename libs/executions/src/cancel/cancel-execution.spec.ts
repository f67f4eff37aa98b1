import { describe, expect, it } from '@jest/globals';
import { aSubmission } from '../../../../test/support/builders/submission.js';
import { ExecutionsAtWork } from '../../../../test/support/fakes/executions-at-work.js';
import { cancelExecution } from './cancel-execution.js';

async function aWorkWithOne() {
  const work = new ExecutionsAtWork();
  const { executionId: id, newSessionId: sessionId } = aSubmission();
  await work.acceptances.accept(aSubmission({ executionId: id, newSessionId: sessionId }));
  return { work, id, sessionId, cancel: (tenantId = 'default') => cancelExecution(work, tenantId, id) };
}

describe('cancelling an execution', () => {
  it('answers it as it is then, and lets the next one of its conversation be sent', async () => {
    const { work, id, sessionId, cancel } = await aWorkWithOne();
    const next = aSubmission({ sessionId });
    await work.acceptances.accept(next);
    expect(await cancel()).toMatchObject({ id, status: 'cancelled' });
    expect(work.measured).toMatchObject([{ kind: 'settled', status: 'cancelled', reason: 'CANCELLED' }]);
    expect([work.triggers, await work.due()]).toEqual([1, [next.executionId]]);
  });

  it('leaves what runs to its worker', async () => {
    const { work, id, cancel } = await aWorkWithOne();
    await work.claim(id);
    expect(await cancel()).toMatchObject({ status: 'running' });
    expect(work.find(id).isCancelRequested).toBe(true);
    expect(work.measured).toEqual([]);
  });

  it('answers nothing of what there is not, and sends nothing', async () => {
    const { work, cancel } = await aWorkWithOne();
    expect([await cancel('other'), work.triggers]).toEqual([null, 0]);
  });
});
