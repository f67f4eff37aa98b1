import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chosen, whenAllRun } from '../../support/selection.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { waitUntilDelivered } from '../matrix/evidence/collect-evidence.js';
import { beginConversation } from '../matrix/conversation.js';
import { CrashLane } from '../services/crash-lane.js';

const TIMEOUT_MS = 120_000;
const CALLS = 10;

describe('a database that ends every connection, with the queue in PostgreSQL', () => {
  endingConnections('postgres');
});
whenAllRun(() => {
  describeWithRedis('a database that ends every connection, with the queue in Redis', () => {
    endingConnections('redis');
  });
});

function endingConnections(backend: QueueBackend): void {
  let lane: CrashLane;
  beforeAll(async () => {
    // No lease expires within the test: a takeover can only mean that the worker was counted as dead.
    lane = await CrashLane.open(backend, { LEASE_SECONDS: '60', WORKER_CONCURRENCY: String(CALLS) });
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it.each(chosen([1, 3], (blips) => blips === 3))(
    'harms no unsafe call that is under way, when it does so %i times',
    async (blips) => {
      const trap = lane.board.arm('tool.during_call');
      const conversations = Array.from({ length: CALLS }, () => beginConversation(lane, 'unsafe'));
      await trap.catch(CALLS);
      for (let blip = 0; blip < blips; blip += 1) await blink();
      lane.board.disarm(trap);

      const ids = await Promise.all(conversations.map(async ({ first }) => (await first).id));
      await waitUntilDelivered(lane, ids);
      const { rows } = await lane.database.query<object>(
        `SELECT status, error, attempt, lost_attempts, count(*)::int AS executions FROM execution
          WHERE id = ANY($1) GROUP BY 1, 2, 3, 4`,
        [ids],
      );
      expect(rows).toEqual([
        { status: 'completed', error: null, attempt: 1, lost_attempts: 0, executions: CALLS },
      ]);
      for (const id of ids) expect(lane.effects.callsOf(id)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  /** Ends every connection of the services, and waits until the worker has announced itself again. */
  async function blink(): Promise<void> {
    const before = await announcement();
    await lane.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> ''`,
    );
    await waitFor(async () => (await announcement()) > before, {
      description: 'the worker to announce itself again',
    });
  }

  async function announcement(): Promise<number> {
    const { rows } = await lane.database.query<{ number: number }>(
      `SELECT coalesce(max(lock_number), 0)::int AS number FROM worker`,
    );
    return rows[0]?.number ?? 0;
  }
}
