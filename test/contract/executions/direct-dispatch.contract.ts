import { beforeEach, expect, it } from '@jest/globals';
import type { DispatchOptions, Submission } from '#libs/executions';
import { DISPATCH_OPTIONS } from '../../integration/persistence/persistence-world.js';
import { aSubmission } from '../../support/builders/submission.js';
import { ExecutionSteps } from './execution-steps.js';
import type { ExecutionsBackend } from './executions-backend.js';

/** Contract of a store that marks executions as dispatched when it accepts them, within the dispatcher's limits. */
export function describeDirectDispatch(start: () => Promise<ExecutionsBackend>): void {
  let backend: ExecutionsBackend;
  let steps: ExecutionSteps;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
  });

  /** Accepts the submissions one after the other; returns for each whether it was marked as dispatched. */
  const accept = async (
    options: Partial<DispatchOptions> = {},
    ...submissions: readonly Submission[]
  ): Promise<boolean[]> => {
    const acceptances = backend.acceptancesWithin({ ...DISPATCH_OPTIONS, ...options });
    const sent: boolean[] = [];
    for (const submission of submissions) {
      const acceptance = await acceptances.accept(submission);
      if (acceptance.kind !== 'accepted') throw new Error(`expected an execution, got ${acceptance.kind}`);
      sent.push(acceptance.isDispatched);
    }
    return sent;
  };
  const take = async (options: Partial<DispatchOptions> = {}): Promise<string[]> =>
    (await backend.dispatches.take({ ...DISPATCH_OPTIONS, ...options })).map(
      ({ executionId }) => executionId,
    );
  const of = (tenantId: string): Submission => aSubmission({ tenantId });

  it('counts as sent, so that no dispatch sends it, and can be claimed', async () => {
    const submission = aSubmission();
    expect(await accept({}, submission)).toEqual([true]);
    expect(await take()).toEqual([]);
    expect(await steps.claim({ id: submission.executionId })).toMatchObject({ attempt: 1 });
  });

  it('counts as sent under an idempotency key, and in a conversation in which nothing is under way', async () => {
    const { sessionId } = await steps.complete();
    const idempotency = { key: 'k', requestSha256: 'same' };
    expect(await accept({}, aSubmission({ idempotency }), aSubmission({ sessionId }))).toEqual([true, true]);
  });

  it('waits for its turn in a conversation in which something is under way', async () => {
    const first = aSubmission();
    const second = aSubmission({ sessionId: first.newSessionId });
    expect(await accept({}, first, second)).toEqual([true, false]);
    expect(await take()).toEqual([]);
    await steps.settle(await steps.claim({ id: first.executionId }));
    expect(await take()).toEqual([second.executionId]);
  });

  it('is sent again when its job could not be sent, or is lost', async () => {
    const submission = aSubmission();
    await accept({}, submission);
    await backend.dispatches.requeue([{ executionId: submission.executionId }]);
    expect(await take()).toEqual([submission.executionId]);
    expect(await take({ redispatchAfterMs: 0 })).toEqual([submission.executionId]);
  });

  it('is left to the dispatch while any execution of any tenant waits to be sent', async () => {
    const waiting = await steps.accept({ tenantId: 'other' });
    const submission = aSubmission();
    expect(await accept({}, submission)).toEqual([false]);
    expect((await take()).sort()).toEqual([waiting.id, submission.executionId].sort());
    expect(await accept({}, aSubmission())).toEqual([true]);
  });

  it('is left to the dispatch when the queue has no room', async () => {
    expect(await accept({ queueTarget: 2 }, of('a'), of('b'), of('c'))).toEqual([true, true, false]);
  });

  it('is left to the dispatch above the share of its tenant of the queue', async () => {
    const share = { queueTarget: 4, tenantQueueShare: 0.5 };
    expect(await accept(share, of('big'), of('big'), of('small'), of('big'))).toEqual([
      ...[true, true, true],
      false,
    ]);
  });

  it('is left to the dispatch above what its tenant may have in flight, running ones included', async () => {
    const [first, second] = [of('big'), of('big')];
    expect(await accept({ tenantInFlightCap: 2 }, first)).toEqual([true]);
    await steps.claim({ id: first.executionId });
    expect(await accept({ tenantInFlightCap: 2 }, second, of('big'))).toEqual([true, false]);
  });
}
