import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExecutionAcceptanceStore, poolOf, SubmissionGroundsStore } from '#libs/persistence';
import type { Acceptance, DispatchOptions, Submission } from '#libs/executions';
import { v7 as uuid } from 'uuid';
import { aSubmission } from '../../support/builders/submission.js';
import { DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
beforeEach(async () => {
  await world.clear();
  await world.dataSource.query('DELETE FROM worker');
});
afterAll(() => world.close());

function acceptancesWithin(options: Partial<DispatchOptions> = {}): ExecutionAcceptanceStore {
  return new ExecutionAcceptanceStore(world.dataSource, { ...DISPATCH_OPTIONS, ...options });
}

const isSent = (acceptance: Acceptance): boolean => acceptance.kind === 'accepted' && acceptance.isDispatched;

/** Accepts all submissions at the same time by independent stores; returns the number marked as dispatched. */
async function acceptAtOnce(
  stores: readonly ExecutionAcceptanceStore[],
  submissions: readonly Submission[],
): Promise<number> {
  const accepted = await Promise.all(
    submissions.map((submission, index) =>
      (stores[index % stores.length] ?? world.acceptances).accept(submission),
    ),
  );
  expect(accepted.map((acceptance) => acceptance.kind)).toEqual(submissions.map(() => 'accepted'));
  return accepted.filter(isSent).length;
}

const many = (count: number, of: (index: number) => Partial<Submission> = () => ({})): Submission[] =>
  Array.from({ length: count }, (_, index) => aSubmission(of(index)));

describe('accepting many at the same time', () => {
  it('stores each as it would by itself, in one statement', async () => {
    const statements = jest.spyOn(poolOf(world.dataSource), 'connect');
    const webhook = {
      url: 'https://example.com/hook',
      events: ['execution.completed'],
      firstSecretSealed: 's',
    };
    const submissions = many(30, (index) => ({
      metadata: { index: String(index) },
      request: {
        ...{ input: `hello ${index}`, options: {}, additional_data: {} },
        ...(index % 5 === 0 && { agent_version: 7 }),
      },
      webhook: index % 2 === 0 ? (webhook as Submission['webhook']) : null,
      idempotency: index % 3 === 0 ? { key: `key ${index}`, requestSha256: 's' } : null,
    }));
    const acceptances = acceptancesWithin();
    expect(await acceptAtOnce([acceptances], submissions)).toBe(30);
    expect(statements).toHaveBeenCalledTimes(1);
    statements.mockRestore();
    for (const [index, { executionId, newSessionId }] of submissions.entries()) {
      expect(await world.executions.find('default', executionId)).toMatchObject({
        ...{ session_uuid: newSessionId, turn_number: 1, agent_version: index % 5 === 0 ? 7 : 1 },
        metadata: { index: String(index) },
      });
      expect(await world.executions.findRequest('default', executionId)).toMatchObject({
        request: { input: `hello ${index}` },
        webhook: index % 2 === 0 ? { url: webhook.url, events: webhook.events } : null,
      });
    }
    const next = aSubmission({ sessionId: submissions[3]?.newSessionId ?? null });
    expect(await acceptances.accept(next)).toMatchObject({ kind: 'accepted', view: { turn_number: 2 } });
  });

  it('answers a key that is known, or comes twice, as it would by itself, and accepts what comes beside it', async () => {
    const [known, expired, twice] = [uuid(), uuid(), uuid()].map((key) => ({ key, requestSha256: 's' }));
    const [first, over] = many(2, (index) => ({ idempotency: (index === 0 ? known : expired) ?? null }));
    await acceptAtOnce([world.acceptances], [first, over] as Submission[]);
    await world.dataSource.query(
      `UPDATE idempotency_key SET expires_at = now() - interval '1 second' WHERE key = $1`,
      [expired?.key],
    );
    const keys = [null, known, { key: known?.key ?? '', requestSha256: 'other' }, expired, twice, twice];
    const submissions = keys.map((idempotency) => aSubmission({ idempotency: idempotency ?? null }));
    const answers = await Promise.all(submissions.map((one) => world.acceptances.accept(one)));
    expect(answers).toMatchObject([
      { kind: 'accepted', view: { id: submissions[0]?.executionId } },
      { kind: 'replayed', executionId: first?.executionId },
      { kind: 'key_reused' },
      { kind: 'accepted', view: { id: submissions[3]?.executionId } },
      { kind: 'accepted', view: { id: submissions[4]?.executionId } },
      { kind: 'replayed', executionId: submissions[4]?.executionId },
    ]);
  });

  it('gives each key to one of several that come with the same ones in other orders', async () => {
    const stores = [acceptancesWithin(), acceptancesWithin(), acceptancesWithin()];
    for (let round = 0; round < 5; round += 1) {
      const keys = many(20).map(({ executionId }) => ({ key: executionId, requestSha256: 's' }));
      const answers = await Promise.all(
        stores.flatMap((acceptances, index) =>
          (index % 2 === 0 ? keys : keys.toReversed()).map((idempotency) =>
            acceptances.accept(aSubmission({ idempotency })),
          ),
        ),
      );
      const kinds = Map.groupBy(answers, ({ kind }) => kind);
      expect([kinds.get('accepted')?.length, kinds.get('replayed')?.length]).toEqual([20, 40]);
    }
  });

  it('fails the one that cannot be stored, and none beside it', async () => {
    const acceptances = acceptancesWithin();
    const bad = aSubmission({ agentId: 999_999 });
    const good = many(3);
    const ends = await Promise.allSettled(
      [good[0], bad, good[1], good[2]].map((one) => acceptances.accept(one ?? bad)),
    );
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    for (const { executionId, newSessionId } of good) {
      expect(await world.executions.find('default', executionId)).toMatchObject({ status: 'queued' });
      const next = aSubmission({ sessionId: newSessionId });
      expect(await acceptances.accept(next)).toMatchObject({ kind: 'accepted', view: { turn_number: 2 } });
    }
  });

  it.each([
    ['what a tenant may have in flight', { tenantInFlightCap: 5 }, 5],
    ['the queue', { queueTarget: 7 }, 7],
    ['the share of a tenant of the queue', { queueTarget: 40, tenantQueueShare: 0.1 }, 4],
  ])('sends no more than %s, by however many at once', async (_limit, options, most) => {
    const stores = [acceptancesWithin(options), acceptancesWithin(options), acceptancesWithin(options)];
    const keys = many(60, (index) =>
      index % 3 === 0 ? { idempotency: { key: uuid(), requestSha256: 's' } } : {},
    );
    expect(await acceptAtOnce(stores, keys)).toBe(most);
  });

  it('sends a tenant no more than its share of the places while another one waits that holds less', async () => {
    await world.dataSource.query('INSERT INTO worker (id, places) VALUES ($1, $2)', ['w', 8]);
    const big = (count: number) => many(count, () => ({ tenantId: 'big' }));
    const acceptances = acceptancesWithin();
    // A tenant without competitors may exceed its share.
    expect(await acceptAtOnce([acceptances], big(2))).toBe(2);
    expect(
      await acceptAtOnce(
        [acceptances],
        many(1, () => ({ tenantId: 'small' })),
      ),
    ).toBe(1);
    expect(await acceptAtOnce([acceptances], big(5))).toBe(2);
  });

  it('sends one of a conversation at a time, however many come at once', async () => {
    const first = aSubmission();
    const acceptances = acceptancesWithin();
    await acceptances.accept(first);
    await world.claim(first.executionId);
    await world.dataSource.query(
      `UPDATE execution SET status = 'cancelled', finished_at = now() WHERE id = $1`,
      [first.executionId],
    );
    const next = many(10, () => ({ sessionId: first.newSessionId }));
    expect(await acceptAtOnce([acceptances], next)).toBe(1);
    const [sent] = await world.dataSource.query<{ turn_number: number; is_head: boolean }[]>(
      `SELECT turn_number, head_since IS NOT NULL AS is_head FROM execution WHERE dispatched_at IS NOT NULL`,
    );
    expect(sent).toEqual({ turn_number: 2, is_head: true });
  });
});

describe('cached data that changed since', () => {
  it.each<[string, (beside: Submission) => Partial<Submission>]>([
    ['in a conversation of its own', () => ({})],
    ['under an idempotency key', () => ({ idempotency: { key: uuid(), requestSha256: 's' } })],
    ['in a conversation', (beside) => ({ sessionId: beside.newSessionId })],
  ])('is not accepted %s, and what comes with it is', async (_where, overrides) => {
    const grounds = new SubmissionGroundsStore(world.dataSource);
    const before = (await grounds.find('default', 1))?.checkedBy ?? null;
    await world.dataSource.query(
      `UPDATE llm SET name = name || '!' WHERE id = (SELECT llm_id FROM agent WHERE id = 1)`,
    );
    const now = (await grounds.find('default', 1))?.checkedBy ?? null;
    const beside = aSubmission();
    await world.acceptances.accept(beside);
    const [old, fresh, unasked] = [before, now, null].map((checkedBy) =>
      aSubmission({ checkedBy, ...overrides(beside) }),
    ) as [Submission, Submission, Submission];
    const acceptances = acceptancesWithin();
    const accepted = await Promise.all([fresh, old, unasked].map((one) => acceptances.accept(one)));
    expect(accepted.map(({ kind }) => kind)).toEqual(['accepted', 'outdated', 'accepted']);
    expect(await world.executions.find('default', old.executionId)).toBeNull();
    expect(await acceptances.findEarlier(old)).toBeNull();
  });
});

describe('the flush', () => {
  it('is for those that are there, and fails one that is not, and none beside it', async () => {
    const { id } = await world.accept();
    const ends = await Promise.allSettled([id, uuid(), id].map((one) => world.acceptances.flush(one)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(world.acceptances.flush(uuid())).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });
});
