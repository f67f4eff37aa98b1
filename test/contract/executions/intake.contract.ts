import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Submission } from '#libs/executions';
import { v7 as uuid } from 'uuid';
import { aSubmission } from '../../support/builders/submission.js';
import { aPendingCall, ExecutionSteps } from './execution-steps.js';
import type { ExecutionsBackend } from './executions-backend.js';

const key = (text: string, requestSha256 = 'same') => ({ key: text, requestSha256 });

/** What accepting work promises, whatever holds it. */
export function describeIntake(start: () => Promise<ExecutionsBackend>): void {
  let backend: ExecutionsBackend;
  let steps: ExecutionSteps;
  beforeEach(async () => {
    backend = await start();
    steps = new ExecutionSteps(backend);
  });

  const find = (id: string) => backend.executions.find('default', id);
  const isStored = async ({ executionId, tenantId }: Submission): Promise<boolean> =>
    (await backend.executions.find(tenantId, executionId)) !== null;

  it('begins a conversation with turn 1 and goes on with turn 2', async () => {
    const first = aSubmission({ metadata: { order: '7' } });
    expect(await backend.intake.accept(first)).toMatchObject({
      kind: 'accepted',
      view: {
        id: first.executionId,
        session_uuid: first.newSessionId,
        turn_number: 1,
        status: 'queued',
        attempt: 0,
      },
    });
    const second = aSubmission({ sessionId: first.newSessionId });
    expect(await backend.intake.accept(second)).toMatchObject({
      kind: 'accepted',
      view: { id: second.executionId, session_uuid: first.newSessionId, turn_number: 2 },
    });
    expect(await find(first.executionId)).toMatchObject({ status: 'queued', metadata: { order: '7' } });
  });

  it.each<[string, () => Promise<Partial<Submission>>]>([
    ['does not exist', async () => ({ sessionId: uuid() })],
    ['belongs to another agent', async () => ({ sessionId: (await steps.accept()).sessionId, agentId: 999 })],
    [
      'belongs to another tenant',
      async () => ({ sessionId: (await steps.accept()).sessionId, tenantId: 'other' }),
    ],
  ])('refuses a conversation that %s, and keeps nothing of the request', async (_which, overrides) => {
    const submission = aSubmission({ idempotency: key('k'), ...(await overrides()) });
    expect(await backend.intake.accept(submission)).toEqual({ kind: 'session_not_found' });
    expect([await isStored(submission), await backend.intake.findEarlier(submission)]).toEqual([false, null]);
  });

  it('refuses an archived conversation, and keeps nothing of the request', async () => {
    const { sessionId } = await steps.accept();
    await backend.archive(sessionId);
    const submission = { ...aSubmission({ idempotency: key('k') }), sessionId };
    expect(await backend.intake.accept(submission)).toEqual({ kind: 'session_archived' });
    expect(await backend.intake.accept(aSubmission({ sessionId }))).toEqual({ kind: 'session_archived' });
    expect(await backend.intake.acceptIfFree(submission)).toEqual({ kind: 'session_archived' });
    expect([await isStored(submission), await backend.intake.findEarlier(submission)]).toEqual([false, null]);
  });

  describe('under an idempotency key', () => {
    it('answers the same request with the same execution, and uses up no turn', async () => {
      const { sessionId } = await steps.accept();
      const first = aSubmission({ sessionId, idempotency: key('k') });
      await backend.intake.accept(first);
      const replay = { kind: 'replayed', executionId: first.executionId };
      const again = aSubmission({ sessionId, idempotency: key('k') });
      expect(await backend.intake.accept(again)).toEqual(replay);
      expect(await backend.intake.findEarlier(again)).toEqual(replay);
      expect(await isStored(again)).toBe(false);
      const next = await steps.accept({ sessionId });
      expect(await find(next.id)).toMatchObject({ turn_number: 3 });
    });

    it('refuses another request, and keeps the keys of tenants apart', async () => {
      await steps.accept({ idempotency: key('k') });
      const other = aSubmission({ idempotency: key('k', 'another') });
      expect(await backend.intake.accept(other)).toEqual({ kind: 'key_reused' });
      expect(await backend.intake.findEarlier(other)).toEqual({ kind: 'key_reused' });
      const elsewhere = { ...other, tenantId: 'other' };
      expect(await backend.intake.findEarlier(elsewhere)).toBeNull();
      expect(await backend.intake.accept(elsewhere)).toMatchObject({ kind: 'accepted' });
    });

    it('knows of no earlier request without a key', async () => {
      await steps.accept();
      expect(await backend.intake.findEarlier(aSubmission())).toBeNull();
    });
  });

  describe('only while the conversation is free', () => {
    const busy = { kind: 'session_busy' };
    const ask = (sessionId: string, overrides: Partial<Submission> = {}) =>
      backend.intake.acceptIfFree({ ...aSubmission(overrides), sessionId });

    it('refuses while something of it waits, runs, or waits for a person', async () => {
      const accepted = await steps.accept();
      expect(await ask(accepted.sessionId)).toEqual(busy);
      const claim = await steps.claim(accepted);
      expect(await ask(accepted.sessionId)).toEqual(busy);
      await backend.claims.release(claim);
      await steps.park(accepted, aPendingCall('1.0'));
      expect(await ask(accepted.sessionId)).toEqual(busy);
    });

    it('accepts when everything of it has ended', async () => {
      const { sessionId } = await steps.complete();
      expect(await ask(sessionId)).toMatchObject({ kind: 'accepted', view: { turn_number: 2 } });
      expect(await ask(sessionId)).toEqual(busy);
    });

    it('does not say of a conversation of somebody else that it is busy', async () => {
      const { sessionId } = await steps.accept();
      for (const whose of [{ tenantId: 'other' }, { agentId: 999 }])
        expect(await ask(sessionId, whose)).toEqual({ kind: 'session_not_found' });
    });

    it('answers a request that came before, and does not refuse it because of itself', async () => {
      const { sessionId } = await steps.complete();
      const first = await ask(sessionId, { idempotency: key('k') });
      if (first.kind !== 'accepted') throw new Error('expected an execution');
      const again = { kind: 'replayed', executionId: first.view.id };
      expect(await ask(sessionId, { idempotency: key('k') })).toEqual(again);
    });
  });
}
