import pg from 'pg';
import type { Journal } from '#libs/agent-core';
import type { Claim } from '#libs/persistence';
import type { RunExecutionDependencies } from '../../../apps/worker/src/execute/run-execution-dependencies.js';
import { withMethods } from './with-methods.js';

/**
 * A control: a worker that takes every execution for its own, whoever has it now. Before each write it learns the
 * current fencing number and the end of the journal, and nobody tells it that its lease is gone.
 */
export function unfenced(to: RunExecutionDependencies, databaseUrl: string): RunExecutionDependencies {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  pool.on('error', () => undefined);

  const takeOver = async (claim: Claim, journal: Journal): Promise<void> => {
    const { rows } = await pool.query<{ epoch: number }>('SELECT epoch FROM execution WHERE id = $1', [
      claim.executionId,
    ]);
    Object.assign(claim, { epoch: rows[0]?.epoch ?? claim.epoch });
    await journal.read();
  };

  return {
    ...to,
    leases: withMethods(to.leases, { hold: (claim) => to.leases.hold(claim, new AbortController()) }),
    journalOf: (claim, transactions) => {
      const journal = to.journalOf(claim, transactions);
      return withMethods(journal, {
        append: async (batch) => {
          await takeOver(claim, journal);
          await journal.append(batch);
        },
        settle: async (batch, settlement) => {
          await takeOver(claim, journal);
          await journal.settle(batch, settlement);
        },
      });
    },
  };
}
