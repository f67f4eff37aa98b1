import { Pool } from 'pg';
import type { Journal } from '#libs/agent-core';
import type { Claim, EventStream, AttemptDependencies } from '#libs/executions';
import { withMethods } from './with-methods.js';

type CurrentClaim = (executionId: string) => Promise<Pick<Claim, 'epoch' | 'token'> | null>;

/**
 * The dependencies of an execution without any fence: a lost lease aborts nothing, journal writes use the claim token of the
 * present owner, and events take the next free number.
 */
export function unfencedExecution<T extends AttemptDependencies>(deps: T, databaseUrl: string): T {
  const { leases } = deps;
  const database = new Pool({ connectionString: databaseUrl, max: 1 });
  database.on('error', () => undefined);
  const currentClaim: CurrentClaim = async (executionId) => {
    const sql = `SELECT epoch, claim_token AS token FROM execution WHERE id = $1`;
    const { rows } = await database.query<Pick<Claim, 'epoch' | 'token'>>(sql, [executionId]);
    return rows[0] ?? null;
  };
  return {
    ...deps,
    leases: withMethods(leases, { hold: (claim) => leases.hold(claim, new AbortController()) }),
    events: unfencedEvents(deps.events),
    journalOf: (claim, ...others) =>
      unfencedJournal(() => deps.journalOf(claim, ...others), claim, currentClaim),
  };
}

function unfencedJournal(open: () => Journal, claim: Claim, currentClaim: CurrentClaim): Journal {
  let journal = open();
  const forge = async <T>(write: (journal: Journal) => Promise<T>): Promise<T> => {
    for (;;) {
      Object.assign(claim, await currentClaim(claim.executionId));
      // Finds the next free sequence number after the entries of the other worker.
      await journal.read();
      try {
        return await write(journal);
      } catch (error) {
        if (!isPlaceTaken(error)) throw error;
        // A journal refuses every write after one that failed.
        journal = open();
      }
    }
  };
  return withMethods(journal, {
    append: (batch) => forge((current) => current.append(batch)),
    settle: (batch, settlement) => forge((current) => current.settle(batch, settlement)),
  });
}

/** True if both workers tried the same sequence number. */
function isPlaceTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

function unfencedEvents(stream: EventStream): EventStream {
  return withMethods(stream, {
    append: async (executionId, firstId, events) => {
      await stream.append(executionId, Math.max(firstId, (await stream.lastId(executionId)) + 1), events);
    },
  });
}
