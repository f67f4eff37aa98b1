import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueBackend } from '../support/services/deployment.js';
import { describeWithRedis } from '../support/services/test-redis.js';
import { runScopeBatch } from './matrix/run-scope-batch.js';
import { killsOf } from './matrix/scope-batch.js';
import { CrashLane } from './services/crash-lane.js';
import { shareOf } from './services/share-of-queue.js';

const TIMEOUT_MS = 240_000;

/** One worker dies over as many orders as there are visits of a failpoint, one held at each. */
function isTheSameOrder(backend: QueueBackend): void {
  let lane: CrashLane;
  beforeAll(async () => {
    lane = await CrashLane.open(backend);
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it.each(shareOf(backend, killsOf('orders', backend)))(
    'at every visit of $point, in its steps and in its reviewer: one order, the same report, nothing unsafe twice (S3-35)',
    async (batch) => {
      expect(await runScopeBatch(lane, batch)).toEqual([]);
    },
    TIMEOUT_MS,
  );
}

describe('an order through orderEntryWorkflow, whose worker is killed, with the queue in PostgreSQL', () => {
  isTheSameOrder('postgres');
});
describeWithRedis('the same with the queue in Redis', () => {
  isTheSameOrder('redis');
});
