import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chosen, whenAllRun } from '../../support/selection.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import type { Failpoint } from '../programs/failpoints.js';
import { CALLS, PipelineLane } from '../services/pipeline-lane.js';

const TIMEOUT_MS = 120_000;

type Place = readonly [Failpoint, number, boolean];

/** The failpoint and the visit of the kill, and whether it leaves the outcome of an unsafe call unknown. */
const PLACES: readonly Place[] = [
  ...[1, 2, 3, 4, 5, 7].map((nth) => ['journal.before_commit', nth, false] as const),
  ...[1, 2, 3, 4].map((nth) => ['journal.after_commit', nth, false] as const),
  // The intent of the payment is written, its outcome is not.
  ['journal.after_commit', 5, true],
  ['journal.before_commit', 6, true],
  ['model.before_call', 1, false],
  ['model.before_call', 2, false],
  ['model.mid_stream', 3, false],
  ['model.after_response_before_commit', 1, false],
  ['model.after_response_before_commit', 2, false],
  // First the repeatable tools, then the unsafe ones.
  ['tool.during_call', 1, false],
  ['tool.after_effect_before_commit', 2, false],
  ['tool.after_intent_before_call', 3, true],
  ['tool.during_call', 3, true],
  ['tool.after_effect_before_commit', 4, true],
  ['settle.before_commit', 1, false],
  ['settle.after_commit_before_events', 1, false],
];

/** The short run has one point of either kind, because the matrix covers every commit of another pipeline. */
const isDaily = ([point, nth]: Place): boolean =>
  (point === 'journal.before_commit' && nth === 6) || (point === 'model.before_call' && nth === 2);

function goesOn(backend: QueueBackend): void {
  let lane: PipelineLane;
  beforeAll(async () => {
    lane = await PipelineLane.open(backend);
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it.each(chosen(PLACES, isDaily))(
    'at %s, visit %d, does nothing unsafe twice and goes on with its step (S3-35)',
    async (point, nth, isUnknown) => {
      const trap = lane.board.arm(point, nth);
      const id = await lane.ask('two roma');
      await lane.killAt(trap);
      const view = await lane.settled(id);
      for (const call of [CALLS.pay, CALLS.draft])
        expect(lane.callsOf(id, call).length).toBeLessThanOrEqual(1);
      expect(lane.callsOf(id, CALLS.put).filter(({ tookEffect }) => tookEffect)).toHaveLength(1);
      expect(await lane.openRows(id)).toBe(0);
      if (isUnknown) {
        expect(view).toMatchObject({ status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
        return;
      }
      expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'the draft' } } });
      expect(await lane.stepsOf(id)).toEqual(
        ['extract', 'find', 'put', 'pay', 'draft'].map((step) => `${step} succeeded`),
      );
      const inputs = lane
        .allCallsOf(id)
        .map(({ callKey, input }) => `${callKey.slice(id.length + 1)} ${input.item}`);
      expect([...new Set(inputs)].toSorted()).toEqual([
        '2.0 roma',
        '3.0 roma',
        '4.0 done',
        '5.0:1.0 drafted',
      ]);
    },
    TIMEOUT_MS,
  );
}

describe('an agent of several steps, whose worker is killed, with the queue in PostgreSQL', () => {
  goesOn('postgres');
});
whenAllRun(() => {
  describeWithRedis('the same with the queue in Redis', () => {
    goesOn('redis');
  });
});
