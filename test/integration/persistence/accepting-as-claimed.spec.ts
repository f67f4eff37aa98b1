import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkerStore } from '#libs/persistence';
import type { DispatchOptions } from '#libs/executions';
import { aSubmission } from '../../support/builders/submission.js';
import { accepted, AssigningWorld, OfferedSlots, WORKER } from './assigning-world.js';

let world: AssigningWorld;
beforeAll(async () => {
  world = await AssigningWorld.open();
});
beforeEach(() => world.clear());
afterAll(() => world.close());

describe('accepting an execution as claimed by a worker', () => {
  it.each([
    ['by itself', 1],
    ['beside others', 3],
  ])('claims it as that worker would have, and answers with a queued one: %s', async (_title, count) => {
    const slots = new OfferedSlots(['w1', 'w2', 'w1']);
    const store = world.acceptancesOf(slots);
    const all = await Promise.all(
      Array.from({ length: count }, () =>
        store.accept(
          aSubmission({ request: { input: 'hi', options: { timeout_seconds: 7 }, additional_data: {} } }),
        ),
      ),
    );
    for (const [index, acceptance] of all.entries()) {
      const { view, isAssigned, isDispatched } = accepted(acceptance);
      const workerId = index === 1 ? 'w2' : 'w1';
      expect([isAssigned, isDispatched, slots.taken.get(view.id)?.workerId]).toEqual([true, false, workerId]);
      expect(view).toMatchObject({ status: 'queued', started_at: null });
      expect(await world.rowOf(view.id)).toMatchObject({
        ...{ status: 'running', attempt: 0, epoch: 1, lease_owner: workerId, dispatched_at: null },
        ...{ lease_seconds: 1, limit_ms: 7_000, started_at: expect.any(Date) as unknown, attempts: null },
      });
    }
    expect([slots.taken.size, slots.unused.length]).toEqual([count, 0]);
  });

  it('claims the next turn of an idle conversation, and queues one that has to wait', async () => {
    const first = await world.persistence.accept();
    await world.query(`UPDATE execution SET status = 'failed', finished_at = now() WHERE id = $1`, [
      first.id,
    ]);
    const next = { sessionId: first.sessionId };
    const slots = new OfferedSlots(['w1']);
    const store = world.acceptancesOf(slots);
    const second = accepted(await store.accept(aSubmission(next)));
    const third = accepted(await store.accept(aSubmission(next)));
    expect([second.isAssigned, third.isAssigned, third.isDispatched]).toEqual([true, false, false]);
    const { claim } = (await world.assignments.take(
      { executionId: second.view.id, token: slots.taken.get(second.view.id)?.token ?? '' },
      WORKER,
    )) as { claim: unknown };
    expect(claim).toMatchObject({ turnNumber: 2 });
  });

  it.each<
    [title: string, slots: OfferedSlots, options: Partial<DispatchOptions>, prepare: () => Promise<unknown>]
  >([
    ['no slot is free', new OfferedSlots([]), {}, () => Promise.resolve()],
    [
      'the worker is gone',
      new OfferedSlots(['w1']),
      {},
      () => world.query(`DELETE FROM worker WHERE id = 'w1'`),
    ],
    [
      'the worker is asked to stop',
      new OfferedSlots(['w1']),
      {},
      () => world.query(`UPDATE worker SET draining_since = now() WHERE id = 'w1'`),
    ],
    [
      'one that was sent before has the only free slot',
      new OfferedSlots(['w1']),
      {},
      async () => world.acceptancesOf(new OfferedSlots([])).accept(aSubmission()),
    ],
  ])('sends it to the queue where %s', async (_title, slots, options, prepare) => {
    await prepare();
    const acceptance = accepted(await world.acceptancesOf(slots, options).accept(aSubmission()));
    expect([acceptance.isAssigned, acceptance.isDispatched]).toEqual([false, true]);
    expect(await world.rowOf(acceptance.view.id)).toMatchObject({
      status: 'queued',
      attempt: 0,
      epoch: 0,
      attempts: null,
    });
    expect(slots.taken.size).toBe(0);
  });

  it('leaves it to the dispatch where others wait to be sent, or its tenant runs as many as it may', async () => {
    const slots = new OfferedSlots(['w1']);
    const full = accepted(await world.acceptancesOf(slots, { tenantInFlightCap: 0 }).accept(aSubmission()));
    expect([full.isAssigned, full.isDispatched]).toEqual([false, false]);
    const behind = accepted(await world.acceptancesOf(slots).accept(aSubmission()));
    expect([behind.isAssigned, behind.isDispatched]).toEqual([false, false]);
  });

  it('claims as many of a batch as slots are free after those that were sent', async () => {
    await world.acceptancesOf(new OfferedSlots([])).accept(aSubmission());
    const slots = new OfferedSlots(['w1', 'w1', 'w1', 'w1'], 3);
    const store = world.acceptancesOf(slots);
    const all = await Promise.all(Array.from({ length: 4 }, () => store.accept(aSubmission())));
    expect(
      all.map((one) => accepted(one)).map(({ isAssigned, isDispatched }) => [isAssigned, isDispatched]),
    ).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, true],
    ]);
    expect([slots.taken.size, slots.unused.length]).toEqual([2, 2]);
  });

  it('ends its offers where the database refuses it', async () => {
    const slots = new OfferedSlots(['w1']);
    await expect(world.acceptancesOf(slots).accept(aSubmission({ agentId: 999_999 }))).rejects.toThrow();
    expect([slots.taken.size, slots.unused.length > 0]).toEqual([0, true]);
  });
});

describe('workers that take executions directly', () => {
  it('are those with an address that are not asked to stop, the known ones first', async () => {
    await world.query(
      `INSERT INTO worker (id, places, address, draining_since) VALUES
         ('a', 5, 'http://a', NULL), ('b', 5, 'http://b', NULL), ('c', 5, 'http://c', now()), ('d', 0, 'http://d', NULL)`,
    );
    const workers = new WorkerStore(world.persistence.dataSource);
    expect((await workers.findAddresses([], 5)).map(({ id }) => id).sort()).toEqual(['a', 'b']);
    for (const known of ['a', 'b'])
      expect(await workers.findAddresses([known], 1)).toEqual([{ id: known, address: `http://${known}` }]);
  });
});

/** Resolves once `count` sessions wait for a lock. */
