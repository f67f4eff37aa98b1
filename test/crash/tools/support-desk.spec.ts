import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import type { Failpoint } from '../programs/failpoints.js';
import { RefundLane } from '../services/refund-lane.js';

const TIMEOUT_MS = 120_000;

/** Points of death after the approval at which the outcome is known: before the call or after its outcome is stored. */
const KNOWN: readonly Failpoint[] = [
  'claim.after',
  'journal.before_commit',
  'tool.after_commit',
  'settle.before_commit',
  'settle.after_commit_before_events',
];
/** Points at which the outcome of the call is unknown afterwards, with the number of payments by then. */
const UNKNOWN: readonly (readonly [Failpoint, number])[] = [
  ['tool.after_intent_before_call', 0],
  ['tool.during_call', 1],
  ['tool.after_effect_before_commit', 1],
];

function refunds(backend: QueueBackend): void {
  let lane: RefundLane;
  beforeAll(async () => {
    lane = await RefundLane.open(backend);
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it(
    'waits for a person after the death of the worker that asked, and pays once',
    async () => {
      const id = await lane.askedFor();
      await lane.killWorker();
      expect(lane.paidFor(id)).toEqual({ times: 0, keys: 0 });
      await lane.decide(id, { approved: true });
      expect(await lane.stopped(id)).toMatchObject({ status: 'completed' });
      expect(lane.paidFor(id)).toEqual({ times: 1, keys: 1 });
      expect(await lane.timesAsked(id)).toBe(1);
    },
    TIMEOUT_MS,
  );

  it.each(KNOWN)(
    'at %s: keeps the decision of the person, asks only once, and pays once',
    async (point) => {
      const id = await lane.askedFor();
      const trap = lane.board.arm(point);
      await lane.decide(id, { approved: true });
      await lane.killAt(trap);
      const view = await lane.stopped(id);
      expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'Paid.' } } });
      expect(view.result?.message.data['refundReceipt']).toMatchObject({ orderNumber: 'A-1001' });
      expect(lane.paidFor(id)).toEqual({ times: 1, keys: 1 });
      expect(await lane.timesAsked(id)).toBe(1);
    },
    TIMEOUT_MS,
  );

  it.each(KNOWN.slice(0, 2))(
    'at %s: pays nothing where the person has refused',
    async (point) => {
      const id = await lane.askedFor();
      const trap = lane.board.arm(point);
      await lane.decide(id, { approved: false, reason: 'not yet' });
      await lane.killAt(trap);
      expect(await lane.stopped(id)).toMatchObject({ status: 'completed' });
      expect(lane.paidFor(id)).toEqual({ times: 0, keys: 0 });
      expect(await lane.timesAsked(id)).toBe(1);
    },
    TIMEOUT_MS,
  );

  it.each(['happened', 'did_not_happen'])(
    'is settled by a person who says that it %s, although the shop is gone by then',
    async (outcome) => {
      const id = await lane.askedFor();
      const trap = lane.board.arm('tool.after_effect_before_commit');
      await lane.decide(id, { approved: true });
      await lane.killAt(trap);
      expect((await lane.stopped(id)).required_action?.calls).toMatchObject([{ asks: 'outcome' }]);
      await lane.removeShop();
      await lane.decide(id, { outcome });
      expect(await lane.stopped(id)).toMatchObject({ status: 'completed' });
      expect(lane.paidFor(id)).toEqual({ times: 1, keys: 1 });
      await lane.nameShop();
    },
    TIMEOUT_MS,
  );

  it.each(UNKNOWN)(
    'at %s: never pays again by itself, and a person says what happened',
    async (point, paid) => {
      const id = await lane.askedFor();
      const trap = lane.board.arm(point);
      await lane.decide(id, { approved: true });
      await lane.killAt(trap);
      const waiting = await lane.stopped(id);
      expect(waiting).toMatchObject({
        status: 'requires_action',
        required_action: { calls: [{ tool_name: 'refund', asks: 'outcome' }] },
      });
      expect(lane.paidFor(id).times).toBe(paid);
      await lane.decide(id, { outcome: paid === 1 ? 'happened' : 'did_not_happen' });
      expect(await lane.stopped(id)).toMatchObject({ status: 'completed' });
      expect(lane.paidFor(id)).toEqual({ times: 1, keys: 1 });
      expect(await lane.timesAsked(id)).toBe(1);
    },
    TIMEOUT_MS,
  );
}

describe('a refund whose worker is killed, with the queue in PostgreSQL', () => {
  refunds('postgres');
});
describeWithRedis('the same with the queue in Redis', () => {
  refunds('redis');
});
