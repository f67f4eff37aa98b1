import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CancellationStore } from '#libs/persistence';
import type { Assignment } from '#libs/executions';
import { v4 as randomToken } from 'uuid';
import { AssigningWorld, WORKER } from './assigning-world.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS } from './persistence-world.js';

let world: AssigningWorld;
beforeAll(async () => {
  world = await AssigningWorld.open();
});
beforeEach(() => world.clear());
afterAll(() => world.close());

describe('taking what was assigned', () => {
  it('gives what the claim would have given', async () => {
    const assignment = await world.assign();
    const other = await world.persistence.accept();
    const taken = await world.assignments.take(assignment, WORKER);
    const claimed = await world.persistence.claims.claim(other.id, CLAIM_OPTIONS);
    if (taken.kind !== 'claimed' || claimed.kind !== 'claimed') throw new Error('both are claimed');
    const common = (result: typeof taken) => {
      const {
        executionId,
        sessionId,
        token,
        messageIds,
        claimedAtMs,
        startedAtMs,
        remainingMs,
        accepted: as,
        ...claim
      } = result.claim;
      return { claim, state: result.state, version: as.agentVersion, metadata: as.metadata };
    };
    expect(common(taken)).toEqual(common(claimed));
    expect(taken.claim.messageIds[1]).toBe(taken.claim.messageIds[0] + 1);
    expect(taken.claim.token).toBe(assignment.token);
    expect(taken.claim.startedAtMs).toBeLessThanOrEqual(taken.claim.claimedAtMs);
    expect(taken.claim.remainingMs).toBeLessThanOrEqual(300_000);
  });

  it('begins the attempt, with the lease of a claim', async () => {
    const assignment = await world.assign();
    await world.assignments.take(assignment, WORKER);
    expect(await world.rowOf(assignment.executionId)).toMatchObject({
      ...{ status: 'running', attempt: 1, epoch: 1, lease_seconds: 60 },
      attempts: [{ epoch: 1, number: 1, worker: 'w1', started_at: expect.any(String) as unknown }],
    });
    expect(await world.assignments.take(assignment, WORKER)).toEqual({ kind: 'not_runnable' });
  });

  it('changes no column that is part of an index, so that no index gets an entry', async () => {
    const updates = async (): Promise<unknown> => {
      await world.query('SELECT pg_stat_force_next_flush()');
      const [row] = (await world.query(
        `SELECT sum(n_tup_upd)::int AS updates, sum(n_tup_hot_upd)::int AS hot FROM pg_stat_user_tables WHERE relname = 'execution'`,
      )) as { updates: number; hot: number }[];
      return row;
    };
    const assignment = await world.assign();
    const before = (await updates()) as { updates: number; hot: number };
    await world.assignments.take(assignment, WORKER);
    expect(await updates()).toEqual({ updates: before.updates + 1, hot: before.hot + 1 });
  });

  it('shares a statement, and says of a cancelled one that it is', async () => {
    const all = [await world.assign(), await world.assign(), await world.assign()];
    await new CancellationStore(world.persistence.dataSource).request('default', all[1]?.executionId ?? '');
    const results = await Promise.all(all.map((assignment) => world.assignments.take(assignment, WORKER)));
    expect(results.map((result) => result.kind === 'claimed' && result.claim.isCancelled)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each<[title: string, change: (assignment: Assignment) => Promise<[Assignment, typeof WORKER]>]>([
    ['another token', (one) => Promise.resolve([{ ...one, token: randomToken() }, WORKER])],
    ['another worker', (one) => Promise.resolve([one, { ...WORKER, workerId: 'w2' }])],
    [
      'a claim that is requeued',
      async (one) => {
        await world.assignments.requeue([one]);
        return [one, WORKER];
      },
    ],
    [
      'another claim since',
      async (one) => {
        await world.persistence.expireLease(one.executionId);
        await world.persistence.claim(one.executionId);
        return [one, WORKER];
      },
    ],
  ])('takes nothing with %s', async (_title, change) => {
    expect(await world.assignments.take(...(await change(await world.assign())))).toEqual({
      kind: 'not_runnable',
    });
  });
});

describe('requeueing what was assigned', () => {
  it('leaves no trace of the assignment', async () => {
    const assignment = await world.assign();
    expect(await world.assignments.requeue([assignment])).toBe(1);
    expect(await world.rowOf(assignment.executionId)).toMatchObject({
      ...{
        status: 'queued',
        attempt: 0,
        lease_owner: null,
        started_at: null,
        deadline_at: null,
        lost_epoch: null,
      },
      attempts: null,
    });
    expect((await world.persistence.claim(assignment.executionId)).attempt).toBe(1);
  });

  it.each<[title: string, act: (assignment: Assignment) => Promise<unknown>]>([
    ['that its worker has taken', (assignment) => world.assignments.take(assignment, WORKER)],
    [
      'that another worker has claimed since',
      async ({ executionId }) => {
        await world.persistence.expireLease(executionId);
        await world.persistence.claim(executionId);
      },
    ],
    [
      'that has settled',
      ({ executionId }) =>
        world.query(`UPDATE execution SET status = 'failed', finished_at = now() WHERE id = $1`, [
          executionId,
        ]),
    ],
  ])('leaves one %s', async (_title, act) => {
    const assignment = await world.assign();
    await act(assignment);
    const before = await world.rowOf(assignment.executionId);
    expect(await world.assignments.requeue([assignment])).toBe(0);
    expect(await world.rowOf(assignment.executionId)).toEqual(before);
  });

  it('leaves one that is being taken while it waits for the execution', async () => {
    const assignment = await world.assign();
    const taker = world.persistence.dataSource.createQueryRunner();
    await taker.startTransaction();
    await taker.query('UPDATE execution SET attempt = 1 WHERE id = $1', [assignment.executionId]);
    const given = world.assignments.requeue([assignment]);
    await world.untilSomeWait(1);
    await taker.commitTransaction();
    await taker.release();
    expect(await given).toBe(0);
  });
});

describe('an assignment that its worker never heard of', () => {
  it('is found once its lease is over, without a pause, and counts neither as lost nor as an attempt', async () => {
    const { executionId } = await world.assign();
    await world.query(`UPDATE execution SET lease_expires_at = now() - interval '1 ms' WHERE id = $1`, [
      executionId,
    ]);
    expect(await world.persistence.dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId }]);
    const result = await world.persistence.claims.claim(executionId, CLAIM_OPTIONS);
    expect(result).toMatchObject({
      kind: 'claimed',
      claim: { attempt: 1, epoch: 2, followsLostAttempt: false, isSuspect: false },
    });
    expect(await world.rowOf(executionId)).toMatchObject({
      lost_epoch: null,
      lost_attempts: 0,
      attempts: [{ number: 1, epoch: 2 }],
    });
  });

  it('counts as lost where its worker has taken it', async () => {
    const assignment = await world.assign();
    await world.assignments.take(assignment, WORKER);
    await world.persistence.expireLease(assignment.executionId);
    const result = await world.persistence.claims.claim(assignment.executionId, CLAIM_OPTIONS);
    expect(result).toMatchObject({ kind: 'claimed', claim: { attempt: 2, followsLostAttempt: true } });
  });
});
