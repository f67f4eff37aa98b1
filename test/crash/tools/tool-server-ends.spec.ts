import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { chosen } from '../../support/selection.js';
import { waitFor } from '../../support/services/wait-for.js';
import { waitUntilDelivered } from '../matrix/evidence/collect-evidence.js';
import { beginConversation } from '../matrix/conversation.js';
import { collectLeftBehind, findLeftBehind } from '../matrix/evidence/left-behind.js';
import { DRAINING } from '../programs/program-settings.js';
import { CrashLane } from '../services/crash-lane.js';
import { TRANSPORTS, type Transport } from '../services/offer-tool-servers.js';

const TIMEOUT_MS = 120_000;
/** The state of a session that its client ends, by transport. */
const GOODBYES: Readonly<Record<Transport, readonly string[]>> = {
  http: ['deleted'],
  sse: ['stream_ended'],
  stdio: [],
  openapi: [],
};

let lane: CrashLane;

beforeAll(async () => {
  // No lease expires within the test: the sessions end only because the worker ends them.
  lane = await CrashLane.open('postgres', { LEASE_SECONDS: '600' });
}, TIMEOUT_MS);
afterAll(() => lane.close(), TIMEOUT_MS);

/** Expects that nothing is left of the case and that the worker ended each of its sessions. */
async function expectNothingLeft(key: string, id: string, transport: Transport): Promise<void> {
  const left = await collectLeftBehind(lane, key, [id]);
  // Without a kill no session may have expired.
  expect(findLeftBehind(left, 'stop')).toEqual([]);
  expect(new Set(left.sessions.map(({ state }) => state))).toEqual(new Set(GOODBYES[transport]));
}

/** The short run has one server over HTTP and one process; the other transports end like the first. */
const DAILY: readonly Transport[] = ['http', 'stdio'];

describe('a call of a tool server', () => {
  it.each(chosen(TRANSPORTS, (transport) => DAILY.includes(transport)))(
    'by %s is cancelled at the server with its execution, which leaves nothing open',
    async (transport) => {
      const trap = lane.board.arm('tool.during_call');
      try {
        const { key, first } = beginConversation(lane, 'read', transport);
        const { id } = await first;
        await trap.catch(1);
        await lane.api.post(`/api/executions/${id}/cancel/`, {});
        const isCancelled = async () =>
          (await lane.api.get<ExecutionView>(`/api/executions/${id}/`)).status === 'cancelled';
        await waitFor(isCancelled, { description: 'the execution to be cancelled' });
        const keysHeard = () =>
          lane.toolServers.cancelled.flatMap((call) => (call.caseKey === key ? [call.idempotencyKey] : []));
        await waitFor(() => keysHeard().length > 0, { description: 'the server to hear of it' });
        expect(keysHeard()).toEqual([`${id}.1.0`]);
        await expectNothingLeft(key, id, transport);
      } finally {
        lane.board.disarm(trap);
      }
    },
    TIMEOUT_MS,
  );

  it.each(chosen(TRANSPORTS, (transport) => transport === 'stdio'))(
    'by %s is waited for by a worker that is asked to stop, which then ends what it has begun',
    async (transport) => {
      const trap = lane.board.arm('tool.during_call');
      const { key, first } = beginConversation(lane, 'unsafe', transport);
      const [worker] = await lane.replace(await trap.catch(1));
      if (!worker) throw new Error('a worker holds the execution');
      const { id } = await first;
      const exit = worker.process.stop();
      await waitFor(() => worker.process.log.includes(DRAINING), { description: 'the worker to drain' });
      lane.board.disarm(trap);
      expect(await exit).toBe(0);
      await waitUntilDelivered(lane, [id]);
      const view = await lane.api.get<ExecutionView>(`/api/executions/${id}/`);
      expect([view.status, view.attempt, lane.toolServers.callsOf(key).length]).toEqual(['completed', 2, 1]);
      await expectNothingLeft(key, id, transport);
    },
    TIMEOUT_MS,
  );
});
