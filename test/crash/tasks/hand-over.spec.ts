import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chosen, whenAllRun } from '../../support/selection.js';
import { scripted } from '../../support/services/api-client.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import type { Failpoint } from '../programs/failpoints.js';
import { CrashLane } from '../services/crash-lane.js';
import type { Trap } from '../services/failpoint-board.js';

const TIMEOUT_MS = 120_000;

/**
 * Ten minutes for every other way to find the work: the queue's own, leases, and redispatch. All else is as in production.
 */
const TEN_MINUTES = {
  GRACE_MS: '600000',
  LEASE_SECONDS: '600',
  DISPATCH_AGAIN_SECONDS: '600',
  DISPATCH_INTERVAL_MS: '1000',
};

describe('the work of a dead worker, with the queue in PostgreSQL', () => {
  handOver('postgres');
});
whenAllRun(() => {
  describeWithRedis('the work of a dead worker, with the queue in Redis', () => {
    handOver('redis');
  });

  describe('the work of a dead worker for webhooks only', () => {
    let lane: CrashLane;

    beforeAll(async () => {
      lane = await CrashLane.open('postgres', { ...TEN_MINUTES, WORKER_ROLES: 'webhooks,housekeeping' });
      await lane.deployment.startWorker({ WORKER_ROLES: 'execute' });
    }, TIMEOUT_MS);
    afterAll(() => lane.close(), TIMEOUT_MS);

    it(
      'is sent again at once',
      async () => {
        const trap = lane.board.arm('webhook.before_post');
        const { id } = await lane.submit({ input: scripted({ text: 'here you are' }) });

        await killAt(lane, trap);

        await untilDelivered(lane, id);
      },
      TIMEOUT_MS,
    );
  });
});

function handOver(backend: QueueBackend): void {
  let lane: CrashLane;

  beforeAll(async () => {
    lane = await CrashLane.open(backend, TEN_MINUTES);
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it(
    'a job that it had fetched and not yet claimed is sent again at once',
    async () => {
      const trap = lane.board.arm('claim.before');
      const { id } = await lane.submit({ input: scripted({ text: 'here you are' }) });

      const killedAt = await killAt(lane, trap);
      const view = await lane.api.settled(id);

      report('from the death to the ending', killedAt);
      expect(view).toMatchObject({ status: 'completed', attempt: 1 });
    },
    TIMEOUT_MS,
  );

  it.each(
    chosen<Failpoint>(
      ['webhook.before_post', 'webhook.after_post_before_record'],
      (point) => point === 'webhook.before_post',
    ),
  )(
    'a webhook that it was sending is sent again at once: %s',
    async (point) => {
      const trap = lane.board.arm(point);
      const { id } = await lane.submit({ input: scripted({ text: 'here you are' }) });

      const killedAt = await killAt(lane, trap);
      await untilDelivered(lane, id);

      report('from the death to the delivery', killedAt);
      expect(lane.receiver.received.filter(({ body }) => body.includes(id))).not.toHaveLength(0);
    },
    TIMEOUT_MS,
  );

  function report(what: string, since: number): void {
    console.log(`${backend}: ${what}: ${Math.round(performance.now() - since)} ms`);
  }
}

/** Kills the process that is held at the failpoint, after its successor has started. Returns the time of the kill. */
async function killAt(lane: CrashLane, trap: Trap): Promise<number> {
  const [victim] = await lane.replace(await trap.catch(1));
  if (!victim) throw new Error('somebody stands there');
  await victim.process.kill();
  lane.board.disarm(trap);
  return performance.now();
}

async function untilDelivered(lane: CrashLane, executionId: string): Promise<void> {
  const isDelivered = async (): Promise<boolean> => {
    const { rows } = await lane.database.query<{ status: string }>(
      `SELECT status FROM webhook_delivery WHERE execution_id = $1`,
      [executionId],
    );
    return rows[0]?.status === 'delivered';
  };
  await waitFor(isDelivered, { description: 'the webhook to be delivered' });
}
