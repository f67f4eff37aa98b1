import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Submission } from '#libs/executions';
import { v7 as uuid } from 'uuid';
import { aSubmission } from '../../support/builders/submission.js';
import { aPendingCall, ExecutionSteps } from './execution-steps.js';
import type { ExecutionsBackend } from './executions-backend.js';

const key = (text: string, requestSha256 = 'same') => ({ key: text, requestSha256 });

/** Contract of `AcceptanceStore` that every backend keeps. */
export function describeAcceptance(start: () => Promise<ExecutionsBackend>): void {
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
    expect(await backend.acceptances.accept(first)).toMatchObject({
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
    expect(await backend.acceptances.accept(second)).toMatchObject({
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
    expect(await backend.acceptances.accept(submission)).toEqual({ kind: 'session_not_found' });
    expect([await isStored(submission), await backend.acceptances.findEarlier(submission)]).toEqual([
      false,
      null,
    ]);
  });

  it('refuses an archived conversation, and keeps nothing of the request', async () => {
    const { sessionId } = await steps.accept();
    await backend.archive(sessionId);
    const submission = { ...aSubmission({ idempotency: key('k') }), sessionId };
    expect(await backend.acceptances.accept(submission)).toEqual({ kind: 'session_archived' });
    expect(await backend.acceptances.accept(aSubmission({ sessionId }))).toEqual({
      kind: 'session_archived',
    });
    expect(await backend.acceptances.acceptIfFree(submission)).toEqual({ kind: 'session_archived' });
    expect([await isStored(submission), await backend.acceptances.findEarlier(submission)]).toEqual([
      false,
      null,
    ]);
  });

  describe('near a limit of its queue', () => {
    const counted = { tenantQueued: 2, queued: null };

    it.each<[string, Partial<Submission>, string]>([
      ['its tenant', { counted }, 'tenant'],
      ['all tenants', { counted: { tenantQueued: null, queued: 2 } }, 'all'],
    ])('accepts no more than may wait of %s, however many come at once', async (_whose, overrides, of) => {
      const all = await Promise.all(
        Array.from({ length: 9 }, () => backend.acceptances.accept(aSubmission(overrides))),
      );
      expect(all.filter(({ kind }) => kind === 'accepted')).toHaveLength(2);
      expect(all.filter(({ kind }) => kind !== 'accepted')).toEqual(Array(7).fill({ kind: 'no_room', of }));
    });

    it('counts no other tenant, and a conversation that goes on', async () => {
      const { sessionId } = await steps.accept();
      await backend.acceptances.accept(aSubmission({ tenantId: 'other' }));
      const turns = [1, 2, 3].map(() => aSubmission({ sessionId, counted }));
      const kinds = await Promise.all(
        turns.map(async (turn) => (await backend.acceptances.accept(turn)).kind),
      );
      expect(kinds.sort()).toEqual(['accepted', 'no_room', 'no_room']);
      const free = { ...aSubmission({ counted }), sessionId };
      expect((await backend.acceptances.acceptIfFree(free)).kind).toBe('session_busy');
    });

    it('answers what came before, keeps no key of what is refused, and says when a conversation is not there', async () => {
      const first = aSubmission({ counted, idempotency: key('k') });
      await backend.acceptances.accept(first);
      await backend.acceptances.accept(aSubmission({ counted }));
      const again = aSubmission({ counted, idempotency: key('k') });
      expect(await backend.acceptances.accept(again)).toEqual({
        kind: 'replayed',
        executionId: first.executionId,
      });
      const refused = aSubmission({ counted, idempotency: key('other') });
      expect(await backend.acceptances.accept(refused)).toEqual({ kind: 'no_room', of: 'tenant' });
      expect(await backend.acceptances.findEarlier(refused)).toBeNull();
      const nowhere = aSubmission({ counted: { tenantQueued: 3, queued: null }, sessionId: uuid() });
      expect(await backend.acceptances.accept(nowhere)).toEqual({ kind: 'session_not_found' });
    });
  });

  describe('under an idempotency key', () => {
    it('answers the same request with the same execution, and uses up no turn', async () => {
      const { sessionId } = await steps.accept();
      const first = aSubmission({ sessionId, idempotency: key('k') });
      await backend.acceptances.accept(first);
      const replay = { kind: 'replayed', executionId: first.executionId };
      const again = aSubmission({ sessionId, idempotency: key('k') });
      expect(await backend.acceptances.accept(again)).toEqual(replay);
      expect(await backend.acceptances.findEarlier(again)).toEqual(replay);
      expect(await isStored(again)).toBe(false);
      const next = await steps.accept({ sessionId });
      expect(await find(next.id)).toMatchObject({ turn_number: 3 });
    });

    it('refuses another request, and keeps the keys of tenants apart', async () => {
      await steps.accept({ idempotency: key('k') });
      const other = aSubmission({ idempotency: key('k', 'another') });
      expect(await backend.acceptances.accept(other)).toEqual({ kind: 'key_reused' });
      expect(await backend.acceptances.findEarlier(other)).toEqual({ kind: 'key_reused' });
      const elsewhere = { ...other, tenantId: 'other' };
      expect(await backend.acceptances.findEarlier(elsewhere)).toBeNull();
      expect(await backend.acceptances.accept(elsewhere)).toMatchObject({ kind: 'accepted' });
    });

    it('knows of no earlier request without a key', async () => {
      await steps.accept();
      expect(await backend.acceptances.findEarlier(aSubmission())).toBeNull();
    });
  });

  describe('only while the conversation is free', () => {
    const busy = { kind: 'session_busy' };
    const ask = (sessionId: string, overrides: Partial<Submission> = {}) =>
      backend.acceptances.acceptIfFree({ ...aSubmission(overrides), sessionId });

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

    it('does not report a conversation of another tenant as busy', async () => {
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
