import { describe, expect, it } from '@jest/globals';
import {
  aSubmitCommand,
  ExecutionsAtWork,
  UNLIMITED,
} from '../../../../test/support/fakes/executions-at-work.js';
import {
  SubmitExecution,
  type PassedChecks,
  type SubmitCommand,
  type Submitted,
} from './submit-execution.js';

/** Submits to executions in memory; `first` continues the conversation of the first submission. */
function aService(limits: Parameters<ExecutionsAtWork['submitDependencies']>[0] = {}) {
  const work = new ExecutionsAtWork();
  const useCase = new SubmitExecution(work.submitDependencies(limits));
  const submit = (
    overrides: Partial<SubmitCommand> = {},
    checks: PassedChecks = UNLIMITED,
  ): Promise<Submitted> => useCase.execute(aSubmitCommand(overrides), checks);
  const begin = async () => viewOf(await submit());
  const goOn = (sessionId: string, on_conflict: SubmitCommand['request']['on_conflict'] = 'enqueue') =>
    submit({ request: { ...aSubmitCommand().request, session_uuid: sessionId, on_conflict } });
  return { work, submit, begin, goOn };
}

function viewOf(submitted: Submitted) {
  if (submitted.kind !== 'submitted') throw new Error(`expected an execution, got ${submitted.kind}`);
  return submitted.view;
}

const UNDER_A_KEY = { idempotency: { key: 'k', requestSha256: 'same' } };

describe('accepting a submission', () => {
  it('accepts, and has it sent', async () => {
    const { work, submit } = aService();
    const { id } = viewOf(await submit());
    expect([work.triggers, await work.due()]).toEqual([1, [id]]);
  });

  it('answers the same request under the same key with the execution as it is now, and sends nothing', async () => {
    const { work, submit } = aService();
    const { id } = viewOf(await submit(UNDER_A_KEY));
    await work.claim(id);
    expect(viewOf(await submit(UNDER_A_KEY))).toMatchObject({ id, status: 'running' });
    expect(work.triggers).toBe(1);
  });

  it('says that what came before under the key has been deleted since', async () => {
    const { work, submit } = aService();
    await submit(UNDER_A_KEY);
    const executions = { find: () => Promise.resolve(null) };
    const after = new SubmitExecution({ ...work.submitDependencies(), executions });
    expect(await after.execute(aSubmitCommand(UNDER_A_KEY), UNLIMITED)).toEqual({ kind: 'gone' });
  });

  it.each<[string, number | null, object, string]>([
    ['the service is full', null, { queued: 1 }, 'overloaded'],
    ['the tenant is full', null, { tenantQueued: 1 }, 'tenant_full'],
    ['the tenant has a limit of its own', 1, {}, 'tenant_full'],
  ])('refuses when %s, and stores nothing', async (_why, mostQueued, limits, kind) => {
    const { work, submit, begin } = aService(limits);
    await begin();
    expect(await submit({}, { ...UNLIMITED, mostQueued })).toMatchObject({ kind, retryAfterSeconds: 1 });
    expect([work.store.all().length, work.triggers]).toEqual([1, 1]);
  });

  it('answers what it has accepted before, however full it is', async () => {
    const { submit } = aService({ queued: 1 });
    const { id } = viewOf(await submit(UNDER_A_KEY));
    expect(viewOf(await submit(UNDER_A_KEY)).id).toBe(id);
  });

  it('lets the next turn of a conversation wait for the one before', async () => {
    const { work, begin, goOn } = aService();
    const { id, session_uuid } = await begin();
    expect(viewOf(await goOn(session_uuid))).toMatchObject({ session_uuid, turn_number: 2 });
    expect(await work.due()).toEqual([id]);
  });

  it('cancels what a conversation still has to do when the next turn is to interrupt it', async () => {
    const { work, begin, goOn } = aService();
    const running = await begin();
    await work.claim(running.id);
    const waiting = viewOf(await goOn(running.session_uuid));
    const { id } = viewOf(await goOn(running.session_uuid, 'interrupt'));
    expect(work.find(running.id).isCancelRequested).toBe(true);
    expect(work.find(waiting.id).publicStatus).toBe('cancelled');
    expect(work.find(id).publicStatus).toBe('queued');
  });

  it('cancels nothing for a turn that is refused, nor the execution that a repeated request asks for', async () => {
    const { work, submit, begin } = aService({ queued: 2 });
    const running = await begin();
    await work.claim(running.id);
    await begin();
    const interrupting = {
      request: {
        ...aSubmitCommand().request,
        session_uuid: running.session_uuid,
        on_conflict: 'interrupt' as const,
      },
      ...UNDER_A_KEY,
    };
    await begin();
    expect(await submit(interrupting)).toMatchObject({ kind: 'overloaded' });
    expect(work.find(running.id).isCancelRequested).toBe(false);
    const roomy = new SubmitExecution(work.submitDependencies());
    const { id } = viewOf(await roomy.execute(aSubmitCommand(interrupting), UNLIMITED));
    expect(work.find(running.id).isCancelRequested).toBe(true);
    expect(viewOf(await roomy.execute(aSubmitCommand(interrupting), UNLIMITED))).toMatchObject({
      id,
      status: 'queued',
    });
  });

  it('refuses a turn that is to be rejected when the conversation does not become free', async () => {
    const { work, begin, goOn } = aService();
    const { session_uuid } = await begin();
    expect(await goOn(session_uuid, 'reject')).toEqual({ kind: 'session_busy' });
    expect(work.triggers).toBe(1);
  });

  it('accepts it when the conversation becomes free within a moment', async () => {
    const { work, begin, goOn } = aService();
    const { id, session_uuid } = await begin();
    let waits = 0;
    work.onWait = () => {
      if ((waits += 1) === 3) work.find(id).requestCancel();
    };
    expect(viewOf(await goOn(session_uuid, 'reject'))).toMatchObject({ turn_number: 2 });
    expect(waits).toBe(3);
  });

  it('refuses a conversation that there is not', async () => {
    const { work, goOn } = aService();
    for (const on_conflict of ['enqueue', 'interrupt', 'reject'] as const)
      expect(await goOn('nowhere', on_conflict)).toEqual({ kind: 'session_not_found' });
    expect(work.store.all()).toEqual([]);
  });
});
