import { beforeEach, expect, it } from '@jest/globals';
import { aQueuedWait } from '../../support/builders/queued-wait.js';
import { v7 as uuid } from 'uuid';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS } from '../../integration/persistence/persistence-world.js';
import { aPendingCall, ExecutionSteps, type Accepted } from './execution-steps.js';
import type { ExecutionsBackend } from './executions-backend.js';

/** Contract of `CancelStore` that every backend keeps. */
export function describeCancel(start: () => Promise<ExecutionsBackend>): void {
  let backend: ExecutionsBackend;
  let steps: ExecutionSteps;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
  });

  const cancel = async ({ id }: Accepted, tenantId = 'default'): Promise<string> =>
    (await backend.cancellations.request(tenantId, id)).kind;
  const factsOf = async ({ id }: Accepted): Promise<string[]> =>
    (await backend.facts(id)).map(({ kind }) => kind);
  const statuses = (...accepted: Accepted[]) => Promise.all(accepted.map((one) => steps.statusOf(one)));

  it('finds nothing that there is not, or that another tenant has', async () => {
    const accepted = await steps.accept();
    expect(await cancel({ ...accepted, id: uuid() })).toBe('not_found');
    expect(await cancel(accepted, 'other')).toBe('not_found');
    expect(await statuses(accepted)).toEqual(['queued']);
  });

  it('ends at once what was never claimed, and lets the next one of the conversation run', async () => {
    const first = await steps.accept();
    const second = await steps.accept({ sessionId: first.sessionId });
    expect(await cancel(first)).toBe('cancelled');
    expect(await backend.executions.find('default', first.id)).toMatchObject({
      status: 'cancelled',
      error: { code: 'CANCELLED' },
      attempt: 0,
    });
    expect(await factsOf(first)).toEqual(['cancellation_requested', 'execution_settled']);
    expect(await backend.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: second.id }]);
  });

  it('leaves to its worker what runs, however often it is asked for', async () => {
    const accepted = await steps.accept();
    const claim = await steps.claim(accepted);
    expect([await cancel(accepted), await cancel(accepted)]).toEqual(['requested', 'requested']);
    expect([await statuses(accepted), await factsOf(accepted)]).toEqual([['running'], []]);
    expect(await backend.claims.renew([claim], CLAIM_OPTIONS.leaseMs)).toEqual(new Set([claim.token]));
    await backend.claims.release(claim);
    expect(await steps.claim(accepted)).toMatchObject({ attempt: 2, isCancelled: true });
  });

  it('brings back what waits for a person, to be ended', async () => {
    const accepted = await steps.park(await steps.accept(), aPendingCall('1.0'));
    expect(await cancel(accepted)).toBe('requested');
    expect(await backend.executions.find('default', accepted.id)).toMatchObject({
      status: 'queued',
      required_action: null,
    });
    const decision = { call: '1.0', approved: true, reason: '' };
    expect(await backend.decisions.decide('default', accepted.id, [decision], null)).toEqual({
      kind: 'not_waiting',
    });
    expect(await steps.claim(accepted)).toMatchObject({ isCancelled: true });
  });

  it('makes due at once what was put off, and sends it again', async () => {
    const accepted = await steps.accept();
    await backend.claims.requeueWithBackoff(await steps.claim(accepted));
    expect(await backend.dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
    expect(await cancel(accepted)).toBe('requested');
    expect(await backend.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: accepted.id }]);
    expect(await cancel(accepted)).toBe('requested');
    expect(await backend.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: accepted.id }]);
  });

  it('ends at once what has only waited so far', async () => {
    const accepted = await steps.accept();
    await backend.claims.postpone(await steps.claim(accepted), aQueuedWait());
    expect([await cancel(accepted), await statuses(accepted)]).toEqual(['cancelled', ['cancelled']]);
  });

  it('changes nothing of what has ended', async () => {
    const accepted = await steps.complete();
    expect([await cancel(accepted), await statuses(accepted)]).toEqual(['settled_before', ['completed']]);
    expect(await factsOf(accepted)).toEqual([]);
  });

  it('cancels the earlier turns of a conversation that have not ended', async () => {
    const past = await steps.complete();
    const { sessionId } = past;
    const running = await steps.accept({ sessionId });
    await steps.claim(running);
    const waiting = await steps.accept({ sessionId });
    const own = await steps.accept({ sessionId });
    const later = await steps.accept({ sessionId });
    const beside = await steps.accept();
    expect(await backend.cancellations.requestBefore('other', own.id)).toBe(0);
    expect(await statuses(waiting)).toEqual(['queued']);
    expect(await backend.cancellations.requestBefore('default', own.id)).toBe(1);
    expect(await statuses(past, running, waiting, own, later, beside)).toEqual([
      'completed',
      'running',
      'cancelled',
      'queued',
      'queued',
      'queued',
    ]);
    await backend.endLease(running.id);
    expect(await steps.claim(running)).toMatchObject({ isCancelled: true });
  });
}
