import { beforeEach, expect, it } from '@jest/globals';
import { AwaitSettlement, StatusReads } from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import { v7 as uuid } from 'uuid';
import type { aSubmission } from '../../support/builders/submission.js';
import { InMemoryEventStream } from '../../support/fakes/in-memory-event-stream.js';
import { aPendingCall, ExecutionSteps } from './execution-steps.js';
import type { ExecutionsBackend } from './executions-backend.js';

/** Contract of `ExecutionReader` that every backend keeps. */
export function describeReader(start: () => Promise<ExecutionsBackend>): void {
  let backend: ExecutionsBackend;
  let steps: ExecutionSteps;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
  });

  it('shows an execution as it goes on, to its end', async () => {
    const accepted = await steps.accept();
    const view = () => backend.executions.find('default', accepted.id);
    expect(await view()).toMatchObject({ status: 'queued', attempt: 0, started_at: null, result: null });
    const claim = await steps.claim(accepted);
    expect(await view()).toMatchObject({ status: 'running', attempt: 1, finished_at: null });
    const messages = [
      { role: 'user', content: 'hello', data: {}, truncated: false, tokens: null },
      { role: 'assistant', content: 'well met', data: {}, truncated: false, tokens: null },
    ] as const;
    await steps.settle(claim, { status: 'completed', error: null, messages });
    const ended = await view();
    expect(ended).toMatchObject({
      status: 'completed',
      result: { message: { role: 'assistant', content: 'well met', data: {} } },
      error: null,
      required_action: null,
    });
    expect([ended?.started_at, ended?.finished_at]).toEqual([expect.any(String), expect.any(String)]);
  });

  it('shows what an execution waits for, and why it ended', async () => {
    const waiting = await steps.park(await steps.accept(), aPendingCall('1.0'), aPendingCall('1.1'));
    expect(await backend.executions.find('default', waiting.id)).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: '1.0', asks: 'approval' }, { call: '1.1' }] },
    });
    const failed = await steps.complete({}, { status: 'failed', error: { code: 'X', message: 'x' } });
    expect(await backend.executions.find('default', failed.id)).toMatchObject({
      status: 'failed',
      error: { code: 'X', message: 'x' },
      result: null,
    });
    const cut = await steps.complete({}, { status: 'incomplete', incompleteReason: 'max_iterations' });
    expect(await backend.executions.find('default', cut.id)).toMatchObject({
      incomplete_details: { reason: 'max_iterations' },
    });
  });

  it('knows what was asked for, to ask it again', async () => {
    const request = { input: 'again', options: { temperature: 0 }, additional_data: {} };
    const webhook = {
      url: 'https://example.org/hook',
      events: ['execution.completed'],
      firstSecretSealed: 's',
    };
    const metadata = { order: '7' };
    const { id, sessionId } = await steps.complete({ request, metadata, webhook } as Parameters<
      typeof aSubmission
    >[0]);
    expect(await backend.executions.findRequest('default', id)).toEqual({
      ...{ agentId: 1, sessionId, status: 'completed', request, metadata },
      webhook: { url: 'https://example.org/hook', events: ['execution.completed'] },
    });
    const plain = await steps.accept();
    expect(await backend.executions.findRequest('default', plain.id)).toMatchObject({
      ...{ status: 'queued', metadata: {}, webhook: null },
    });
  });

  it('shows nothing to other tenants, and nothing of what there is not', async () => {
    const { id } = await steps.accept();
    const { find, findRequest } = {
      find: (tenant: string, of: string) => backend.executions.find(tenant, of),
      findRequest: (tenant: string, of: string) => backend.executions.findRequest(tenant, of),
    };
    expect([await find('other', id), await findRequest('other', id)]).toEqual([null, null]);
    expect([await find('default', uuid()), await findRequest('default', uuid())]).toEqual([null, null]);
  });

  it('reports an end, or a wait for a person, to waiting clients when the stream lost it', async () => {
    const accepted = await steps.accept();
    const wait = new AwaitSettlement({
      executions: backend.executions,
      statuses: new StatusReads(backend.executions, systemTimers),
      ...{ stream: new InMemoryEventStream(), ids: { next: uuid }, clock: systemClock },
    });
    const seen = await backend.executions.find('default', accepted.id);
    if (!seen) throw new Error('expected an execution');
    const status = async () => {
      const awaited = wait.begin();
      const view = await awaited.settled('default', seen, 0, new AbortController().signal);
      awaited.close();
      return view.status;
    };
    expect(await status()).toBe('queued');
    await steps.park(accepted, aPendingCall('1.0'));
    expect(await status()).toBe('requires_action');
    await backend.cancellations.request('default', accepted.id);
    await steps.settle(await steps.claim(accepted), { status: 'cancelled' });
    expect(await status()).toBe('cancelled');
  });

  it('knows the statuses of many at once, whosever they are, and of none that there is not', async () => {
    const [queued, parked] = [await steps.accept(), await steps.accept()];
    await steps.park(parked, aPendingCall('1.0'));
    const settled = await steps.complete();
    const ids = [queued.id, parked.id, settled.id, uuid()];

    expect(await backend.executions.findStatuses(ids)).toEqual(
      new Map([
        [queued.id, 'queued'],
        [parked.id, 'requires_action'],
        [settled.id, 'completed'],
      ]),
    );
    expect(await backend.executions.findStatuses([])).toEqual(new Map());
  });
}
