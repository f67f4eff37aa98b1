import { beforeEach, expect, it } from '@jest/globals';
import { aQueuedWait } from '../../support/builders/queued-wait.js';
import type { DispatchOptions } from '#libs/executions';
import { DISPATCH_OPTIONS } from '../../integration/persistence/persistence-world.js';
import { aPendingCall, ExecutionSteps, type Accepted } from './execution-steps.js';
import type { ExecutionsBackend } from './executions-backend.js';

/** Treats every dispatched job as lost. */
const LOST = { redispatchAfterMs: 0 };

/** Contract of `DispatchStore` that every backend keeps: the selection of executions that can run. */
export function describeDispatch(start: () => Promise<ExecutionsBackend>): void {
  let backend: ExecutionsBackend;
  let steps: ExecutionSteps;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
  });

  const take = async (options: Partial<DispatchOptions> = {}): Promise<string[]> => {
    const due = await backend.dispatches.take({ ...DISPATCH_OPTIONS, ...options });
    return due.map(({ executionId }) => executionId);
  };
  const acceptMany = async (tenantId: string, count: number): Promise<Accepted[]> => {
    const accepted: Accepted[] = [];
    for (let n = 0; n < count; n += 1) accepted.push(await steps.accept({ tenantId }));
    return accepted;
  };
  const idsOf = (accepted: readonly Accepted[]): string[] => accepted.map(({ id }) => id);

  it('sends the head of each conversation once, and the next one when it has ended', async () => {
    const first = await steps.accept();
    const second = await steps.accept({ sessionId: first.sessionId });
    const beside = await steps.accept();
    expect((await take()).sort()).toEqual([first.id, beside.id].sort());
    expect(await take()).toEqual([]);
    await steps.settle(await steps.claim(first));
    expect(await take()).toEqual([second.id]);
  });

  it('sends unsent jobs again, and jobs that were not claimed in time', async () => {
    const { id } = await steps.accept();
    expect(await take()).toEqual([id]);
    await backend.dispatches.requeue([{ executionId: id }]);
    expect(await take()).toEqual([id]);
    expect([await take(), await take(LOST)]).toEqual([[], [id]]);
  });

  it('takes back no execution that was claimed in between', async () => {
    const accepted = await steps.accept();
    await take();
    await steps.claim(accepted);
    await backend.dispatches.requeue([{ executionId: accepted.id }]);
    expect([await take(), await take(LOST)]).toEqual([[], []]);
  });

  it('sends what has lost its worker, once, and before all others', async () => {
    const orphan = await steps.accept();
    await steps.claim(orphan);
    const [waiting] = await acceptMany('default', 1);
    await backend.endLease(orphan.id);
    expect(await take({ queueTarget: 1 })).toEqual([orphan.id]);
    expect(await take()).toEqual([waiting?.id]);
    expect(await steps.claim(orphan)).toMatchObject({ attempt: 2 });
  });

  it('sends nothing before it is due, nothing that waits for a person, and nothing that has ended', async () => {
    const putOff = await steps.accept();
    await backend.claims.postpone(await steps.claim(putOff), aQueuedWait());
    await steps.park(await steps.accept(), aPendingCall('1.0'));
    await steps.complete();
    expect(await take(LOST)).toEqual([]);
    await backend.endDelay(putOff.id);
    expect(await take()).toEqual([putOff.id]);
  });

  it('sends no more than the queue has room for', async () => {
    const accepted = await acceptMany('default', 3);
    const [first] = await take({ queueTarget: 2 });
    expect(await take({ queueTarget: 2 })).toEqual([]);
    const claimed = accepted.find(({ id }) => id === first);
    if (claimed) await steps.claim(claimed);
    expect(await take({ queueTarget: 2 })).toEqual([accepted[2]?.id]);
  });

  it('sends the first of each tenant before the second of any', async () => {
    const big = await acceptMany('big', 3);
    const small = await acceptMany('small', 1);
    const sent = await take({ queueTarget: 2 });
    expect(sent.sort()).toEqual([big[0]?.id, small[0]?.id].sort());
  });

  it('sends of one tenant no more than its share of the queue, and than it may have in flight', async () => {
    const [first, second, third] = idsOf(await acceptMany('big', 4));
    expect(await take({ queueTarget: 4, tenantQueueShare: 0.25 })).toEqual([first]);
    expect(await take({ queueTarget: 4, tenantQueueShare: 0.25 })).toEqual([]);
    expect(await take({ tenantInFlightCap: 2 })).toEqual([second]);
    await steps.claim({ id: first ?? '' });
    expect(await take({ tenantInFlightCap: 2 })).toEqual([]);
    expect(await take({ tenantInFlightCap: 3 })).toEqual([third]);
  });
}
