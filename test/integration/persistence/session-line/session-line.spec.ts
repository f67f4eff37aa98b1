import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExecutionClaimStore } from '#libs/persistence';
import type { Claim, ClaimFence, ClaimOptions, ClaimResult } from '#libs/executions';
import { PersistenceWorld } from '../persistence-world.js';
import { lineCommands } from './line-commands.js';
import { LineModel, SUSPECT_AFTER_LOSSES } from './line-model.js';
import { LineWorld } from './line-world.js';

const RUNS = 100;
const MAX_SEARCHES = 5;
const LIMIT_MS = 120_000;

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

function linesLikeTheModel(
  claims: () => ExecutionClaimStore,
  onEnd: (model: LineModel) => void = () => undefined,
) {
  return fc.asyncProperty(lineCommands, async (commands) => {
    // For a few rows, DELETE is faster than TRUNCATE.
    await world.dataSource.query('DELETE FROM chat_session');
    const model = new LineModel();
    await fc.asyncModelRun(() => ({ model, real: new LineWorld(world, claims()) }), commands);
    onEnd(model);
  });
}

describe('the line of a conversation in the database', () => {
  it(
    'is as the model says after every step of many random histories',
    async () => {
      const reached = new Set<string>();
      const note = ({ turns }: LineModel): void => {
        for (const { status, attempt, lostAttempts, isolatedDeaths } of turns) {
          reached.add(status);
          if (attempt > 1) reached.add('taken over');
          if (lostAttempts >= SUSPECT_AFTER_LOSSES) reached.add('suspect');
          if (isolatedDeaths > 0) reached.add(status === 'failed' ? 'poisoned' : 'taken up after a death');
        }
      };
      const endings = ['cancelled', 'completed', 'failed', 'poisoned', 'queued', 'running'];
      const others = ['suspect', 'taken over', 'taken up after a death'];
      const all = [...endings, ...others];
      // All states must be reached to be tested; one search in some dozens misses the rarest state, so it is repeated.
      for (let searches = 0; searches < MAX_SEARCHES && reached.size < all.length; searches += 1)
        await fc.assert(
          linesLikeTheModel(() => world.claims, note),
          { numRuns: RUNS },
        );
      expect([...reached].sort()).toEqual(all);
    },
    LIMIT_MS,
  );
});

describe('the search for histories that break the promises', () => {
  /** Claims any queued execution, also behind an unsettled turn of its session. */
  class WithoutTurnOrder extends ExecutionClaimStore {
    override async claim(executionId: string, options: ClaimOptions, token: string): Promise<ClaimResult> {
      const [rows] = await world.dataSource.query<[Omit<Claim, 'executionId'>[]]>(
        `UPDATE execution SET status = 'running', attempt = attempt + 1, epoch = epoch + 1, dispatched_at = NULL, claim_token = $3,
                lease_owner = $2, lease_expires_at = now() + interval '1 minute'
          WHERE id = $1 AND status = 'queued'
          RETURNING tenant_id AS "tenantId", agent_id AS "agentId", session_id AS "sessionId", turn_number AS "turnNumber", attempt, epoch,
                    claim_token AS token, 60000 AS "remainingMs", 0 AS "claimedAtMs", request, false AS "isCancelled", false AS "isSuspect", false AS "needsFreshProcess",
                    false AS "followsLostAttempt"`,
        [executionId, options.workerId, token],
      );
      const [row] = rows;
      if (!row) return super.claim(executionId, options, token);
      return { kind: 'claimed', claim: { executionId, ...row }, state: null };
    }
  }

  /** Requeues the execution without a check of the claim, which another worker may hold by now. */
  class WithoutFence extends ExecutionClaimStore {
    override async requeueWithBackoff({ executionId }: ClaimFence): Promise<boolean> {
      const [row] = await world.dataSource.query<{ token: string }[]>(
        `SELECT claim_token AS token FROM execution WHERE id = $1 AND status = 'running'`,
        [executionId],
      );
      return row ? super.requeueWithBackoff({ executionId, token: row.token }) : false;
    }
  }

  it.each<[protection: string, () => ExecutionClaimStore]>([
    ['the order of turns', () => new WithoutTurnOrder(world.dataSource)],
    ['the fence of those who release', () => new WithoutFence(world.dataSource)],
  ])(
    'finds one when %s is missing',
    async (_protection, claims) => {
      const { failed } = await fc.check(linesLikeTheModel(claims), {
        numRuns: 10 * RUNS,
        endOnFailure: true,
      });
      expect(failed).toBe(true);
    },
    LIMIT_MS,
  );
});
