import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { whenAllRun } from '../../support/selection.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { waitUntilDelivered } from '../matrix/evidence/collect-evidence.js';
import { beginConversation } from '../matrix/conversation.js';
import type { Failpoint } from '../programs/failpoints.js';
import { DRAINING } from '../programs/program-settings.js';
import { CrashLane, type Replaced } from '../services/crash-lane.js';
import type { Trap } from '../services/failpoint-board.js';

const TIMEOUT_MS = 120_000;

describe('a worker that is asked to stop, with the queue in PostgreSQL', () => {
  drainingWorker('postgres');
});
whenAllRun(() => {
  describeWithRedis('a worker that is asked to stop, with the queue in Redis', () => {
    drainingWorker('redis');
  });
});

function drainingWorker(backend: QueueBackend): void {
  let lane: CrashLane;

  beforeAll(async () => {
    // No lease expires within the test: another worker can only go on after a release.
    lane = await CrashLane.open(backend, { LEASE_SECONDS: '600', SHUTDOWN_GRACE_SECONDS: '5' });
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it(
    'releases after the tool that it was in, which another worker does not run again',
    async () => {
      const { id, trap, worker } = await standAt('tool.during_call', 1);
      const exit = await drain(worker, trap);
      expect(exit).toBe(0);
      expect(await ending(id)).toMatchObject({ status: 'completed', attempt: 2, lost_attempts: 0, calls: 1 });
    },
    TIMEOUT_MS,
  );

  whenAllRun(() => {
    it(
      'releases after the answer of the model, which another worker does not ask for again',
      async () => {
        const { id, key, trap, worker } = await standAt('model.after_response_before_commit', 1);
        const exit = await drain(worker, trap);
        expect(exit).toBe(0);
        expect(await ending(id)).toMatchObject({
          status: 'completed',
          attempt: 2,
          lost_attempts: 0,
          calls: 1,
        });
        expect(await timesAsked(key)).toBe(2);
      },
      TIMEOUT_MS,
    );

    it(
      'finishes what ends with the answer that it waits for',
      async () => {
        const { id, trap, worker } = await standAt('model.mid_stream', 2);
        const exit = await drain(worker, trap);
        expect(exit).toBe(0);
        expect(await ending(id)).toMatchObject({
          status: 'completed',
          attempt: 1,
          lost_attempts: 0,
          calls: 1,
        });
      },
      TIMEOUT_MS,
    );
  });

  it(
    'waits for a tool no longer than its grace; the next worker leaves no doubt about an unsafe one',
    async () => {
      const { id, trap, worker } = await standAt('tool.during_call', 1);
      expect(await worker.process.stop()).toBe(0);
      expect(await ending(id)).toMatchObject({
        status: 'failed',
        error: { code: 'TOOL_OUTCOME_UNKNOWN' },
        attempt: 2,
        calls: 1,
      });
      lane.board.disarm(trap);
    },
    TIMEOUT_MS,
  );

  /** Submits an execution with an unsafe tool; returns when a worker holds it at the failpoint and a successor is up. */
  async function standAt(
    point: Failpoint,
    visit: number,
  ): Promise<{ id: string; key: string; trap: Trap; worker: Replaced }> {
    const trap = lane.board.arm(point, visit);
    const conversation = beginConversation(lane, 'unsafe');
    const [worker] = await lane.replace(await trap.catch(1));
    if (!worker) throw new Error('somebody holds the execution');
    return { id: (await conversation.first).id, key: conversation.key, trap, worker };
  }

  /** Asks the worker to stop, and frees it from the trap once it drains. Returns its exit code. */
  async function drain({ process }: Replaced, trap: Trap): Promise<number | null> {
    const exit = process.stop();
    await waitFor(() => process.log.includes(DRAINING), { description: 'the worker to drain' });
    lane.board.disarm(trap);
    return exit;
  }

  async function ending(id: string): Promise<ExecutionView & { lost_attempts: number; calls: number }> {
    await waitUntilDelivered(lane, [id]);
    const { rows } = await lane.database.query<{ lost_attempts: number }>(
      `SELECT lost_attempts FROM execution WHERE id = $1`,
      [id],
    );
    const view = await lane.api.get<ExecutionView>(`/api/executions/${id}/`);
    return { ...view, lost_attempts: rows[0]?.lost_attempts ?? -1, calls: lane.effects.callsOf(id).length };
  }

  async function timesAsked(key: string): Promise<number> {
    const url = `${lane.deployment.simulatorUrl}/__control/requests?key=${key}`;
    return ((await (await fetch(url)).json()) as { requests: object[] }).requests.length;
  }
}
