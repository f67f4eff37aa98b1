import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueBackend } from '../support/services/deployment.js';
import { describeWithRedis } from '../support/services/test-redis.js';
import type { Failpoint } from './programs/failpoints.js';
import { OrderLane, type OrderOutcome } from './services/order-lane.js';

const TIMEOUT_MS = 120_000;
const STEPS = ['extract', 'customer', 'match', 'draft', 'review', 'reserve', 'report'];

/** Where it is killed, and whether nobody knows then what became of the unsafe call; rounds are steps that ran. */
const PLACES: readonly (readonly [Failpoint, string | number, boolean])[] = [
  // The models of `extract`, of `draft` and of the agent that reviews.
  ...[1, 2, 3].flatMap((model) => [
    ['model.before_call', model, false] as const,
    ['model.mid_stream', model, false] as const,
    ['model.after_response_before_commit', model, false] as const,
  ]),
  // `customer`, an item of `match`, and `report`.
  ...['2.0', '3.1', '7.0'].flatMap((call) => [
    ['tool.after_intent_before_call', call, false] as const,
    ['tool.after_effect_before_commit', call, false] as const,
  ]),
  ['tool.after_intent_before_call', '6.0', true],
  ['tool.during_call', '6.0', true],
  ['tool.after_effect_before_commit', '6.0', true],
  ['journal.before_commit', 'tool_call_settled 5.0', false],
  ['journal.after_commit', 'tool_call_settled 5.0', false],
  ['settle.before_commit', 1, false],
  ['settle.commit_sent_no_ack', 1, false],
  ['settle.after_commit_before_events', 1, false],
];

function comesToTheSame(backend: QueueBackend): void {
  let lane: OrderLane;
  let undisturbed: OrderOutcome;
  beforeAll(async () => {
    lane = await OrderLane.open(backend);
    const id = await lane.order();
    undisturbed = await lane.outcomeOf(id);
    expect(lane.reservationsOf(id)).toBe(1);
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it('drafts the order where nobody dies', () => {
    expect(undisturbed.summary).toContain('is drafted for Harbor Grill: 3 lines, 2 ready.');
    const settled = ['account skipped', ...STEPS.map((step) => `${step} succeeded`)];
    expect(undisturbed.steps).toEqual(expect.arrayContaining(settled));
    expect(undisturbed.orders).toHaveLength(1);
  });

  it.each(PLACES)(
    'at %s, %s, drafts one order, the same, and does nothing unsafe twice (S2-18, S2-19, S3-35)',
    async (point, which, isUnknown) => {
      const trap = lane.arm(point, which);
      const id = await lane.order();
      await lane.killAt(trap);
      const view = await lane.settled(id);
      expect(lane.reservationsOf(id)).toBeLessThanOrEqual(1);
      expect(await lane.openRows(id)).toBe(0);
      if (isUnknown) {
        expect(view).toMatchObject({ status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
        expect((await lane.outcomeOf(id)).orders).toEqual([]);
        return;
      }
      expect(view).toMatchObject({ status: 'completed' });
      expect(await lane.outcomeOf(id)).toEqual(undisturbed);
      expect(lane.reservationsOf(id)).toBe(1);
    },
    TIMEOUT_MS,
  );
}

describe('orderEntryWorkflow, whose worker is killed, with the queue in PostgreSQL', () => {
  comesToTheSame('postgres');
});
describeWithRedis('the same with the queue in Redis', () => {
  comesToTheSame('redis');
});
