import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chosen, whenAllRun } from '../../support/selection.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { waitUntilDelivered } from '../matrix/evidence/collect-evidence.js';
import { beginConversation } from '../matrix/conversation.js';
import { CLOCK_SET } from '../programs/program-settings.js';
import { CrashLane } from '../services/crash-lane.js';

const TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;
const SHIFTED_CLOCK = join(import.meta.dirname, '../../../dist/test/crash/programs/shifted-clock.js');
const EFFECTS = ['read', 'idempotent', 'unsafe'] as const;

describe.each(chosen([HOUR_MS, -HOUR_MS], (shiftMs) => shiftMs === HOUR_MS))(
  'clocks that are set by %i ms, with the queue in PostgreSQL',
  (shiftMs) => {
    settingClocks('postgres', shiftMs);
  },
);
whenAllRun(() => {
  describeWithRedis('clocks that are set forward by an hour, with the queue in Redis', () => {
    settingClocks('redis', HOUR_MS);
  });
});

function settingClocks(backend: QueueBackend, shiftMs: number): void {
  let lane: CrashLane;
  beforeAll(async () => {
    lane = await CrashLane.open(backend, {
      NODE_OPTIONS: `--import ${pathToFileURL(SHIFTED_CLOCK).href}`,
      CLOCK_SHIFT_MS: String(shiftMs),
    });
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it(
    'have no effect on code in the worker, of any process, and none on later code',
    async () => {
      const inTool = lane.board.arm('tool.during_call');
      const inModel = lane.board.arm('model.mid_stream', 2);
      const running = EFFECTS.map((effect) => beginConversation(lane, effect));
      await inTool.catch(EFFECTS.length);
      await setClock(lane.worker);
      await untilRenewed();
      lane.board.disarm(inTool);
      await inModel.catch(EFFECTS.length);
      await setClock(lane.apiProcess);
      await untilRenewed();
      const later = EFFECTS.map((effect) => beginConversation(lane, effect));
      lane.board.disarm(inModel);

      const ids = await Promise.all([...running, ...later].map(async ({ first }) => (await first).id));
      await waitUntilDelivered(lane, ids);
      const { rows } = await lane.database.query(
        `SELECT DISTINCT status, incomplete_reason, attempt, lost_attempts, error FROM execution WHERE id = ANY($1)`,
        [ids],
      );
      expect(rows).toEqual([
        { status: 'completed', incomplete_reason: null, attempt: 1, lost_attempts: 0, error: null },
      ]);
      for (const id of ids) expect(lane.effects.callsOf(id)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  async function setClock(process_: ServiceProcess): Promise<void> {
    process.kill(process_.pid, 'SIGUSR2');
    await waitFor(() => process_.log.includes(CLOCK_SET), { description: 'the clock to be set' });
  }

  /** Waits until the worker has renewed its leases once more. */
  async function untilRenewed(): Promise<void> {
    const latest = async (): Promise<string> => {
      const { rows } = await lane.database.query<{ at: string }>(
        `SELECT coalesce(max(lease_expires_at)::text, '') AS at FROM execution WHERE status = 'running'`,
      );
      return rows[0]?.at ?? '';
    };
    const before = await latest();
    await waitFor(async () => (await latest()) !== before, { description: 'the leases to be renewed' });
  }
}
