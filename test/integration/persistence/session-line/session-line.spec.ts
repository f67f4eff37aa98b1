import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExecutionClaimStore } from '#libs/persistence';
import type { Claim, ClaimFence, ClaimOptions, ClaimResult } from '#libs/executions';
import { PersistenceWorld } from '../persistence-world.js';
import { lineCommands } from './line-commands.js';
import { LineModel, MAX_ISOLATED_DEATHS, SUSPECT_AFTER_LOSSES } from './line-model.js';
import { LineWorld } from './line-world.js';

const RUNS = 100;
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
    // Quicker than to truncate, for the few rows there are.
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
          if (isolatedDeaths >= MAX_ISOLATED_DEATHS) reached.add('poisoned');
        }
      };
      await fc.assert(
        linesLikeTheModel(() => world.claims, note),
        { numRuns: RUNS },
      );

      // What was never reached was not tested.
      const everything = ['cancelled', 'completed', 'poisoned', 'queued', 'running', 'suspect', 'taken over'];
      expect([...reached].sort()).toEqual(everything);
    },
    LIMIT_MS,
  );
});

describe('the search for histories that break the promises', () => {
  /** Claims whatever waits, whoever is before it. */
  class WithoutTurnOrder extends ExecutionClaimStore {
    override async claim(executionId: string, options: ClaimOptions): Promise<ClaimResult> {
      const [rows] = await world.dataSource.query<[{ attempt: number; epoch: number; token: string }[]]>(
        `UPDATE execution SET status = 'running', attempt = attempt + 1, epoch = epoch + 1, dispatched_at = NULL, claim_token = gen_random_uuid(),
                lease_owner = $2, lease_expires_at = now() + interval '1 minute'
          WHERE id = $1 AND status = 'queued' RETURNING attempt, epoch, claim_token AS token`,
        [executionId, options.workerId],
      );
      const [row] = rows;
      if (!row) return super.claim(executionId, options);
      return { kind: 'claimed', claim: { executionId, tenantId: 'default', ...row } as Claim };
    }
  }

  /** Releases what somebody else may hold by now. */
  class WithoutFence extends ExecutionClaimStore {
    override async release({ executionId }: ClaimFence): Promise<boolean> {
      const [rows] = await world.dataSource.query<[unknown[]]>(
        `UPDATE execution SET status = 'queued', lease_owner = NULL, lease_expires_at = NULL, dispatched_at = NULL
          WHERE id = $1 AND status = 'running' RETURNING id`,
        [executionId],
      );
      return rows.length > 0;
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
