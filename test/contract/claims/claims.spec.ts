import { afterAll, beforeAll, describe } from '@jest/globals';
import { aQueuedWait } from '../../support/builders/queued-wait.js';
import { CancellationStore } from '#libs/persistence';
import type { Claim, ClaimResult, ClaimStore } from '#libs/executions';
import { ContendedExecution } from '../../support/fakes/executions/contended-execution.js';
import { InMemoryClaims } from '../../support/fakes/executions/in-memory-claims.js';
import { InMemoryExecutions } from '../../support/fakes/executions/in-memory-executions.js';
import type { Journal } from '#libs/agent-core';
import { CLAIM_OPTIONS, PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { aSubmission } from '../../support/builders/submission.js';
import { InMemoryJournal } from '../../support/fakes/in-memory-journal.js';
import { postgresJournalOf } from '../journal/postgres-journal-of.js';
import type { ClaimBackend, TakenClaim } from './claim-backend.js';
import { describeClaims } from './claims.contract.js';

/** The in-memory backend on which the interleaving tests of the agent loop run. */
describe('an execution in memory', () => {
  describeClaims(() => Promise.resolve(inMemory()));
});

describe('an execution in PostgreSQL', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
  });
  afterAll(() => world.close());
  describeClaims(() => inPostgres(world));
});

function inMemory(): ClaimBackend {
  const execution = new ContendedExecution();
  const claims = new InMemoryClaims(InMemoryExecutions.of(execution));
  let tokens = 0;
  return {
    take: async (asker) => {
      const options = { ...CLAIM_OPTIONS, ...asker };
      const result = await claims.claim('in memory', options, `token ${(tokens += 1)}`);
      if (!('claim' in result)) return null;
      return toTaken(claims, result, new InMemoryJournal(execution, result.claim));
    },
    endLease: () => {
      execution.isLeaseOver = true;
      return Promise.resolve();
    },
    endDelay: () => {
      execution.isDue = true;
      return Promise.resolve();
    },
    endTime: () => {
      execution.isTimeUp = true;
      return Promise.resolve();
    },
    requestCancel: () => {
      execution.requestCancel();
      return Promise.resolve();
    },
    status: () => Promise.resolve(execution.status),
    facts: () => Promise.resolve(execution.facts.map((fact) => fact.entry.kind)),
  };
}

async function inPostgres(world: PersistenceWorld): Promise<ClaimBackend> {
  const { executionId, tenantId } = aSubmission();
  await world.acceptances.accept(aSubmission({ executionId }));
  const cancellations = new CancellationStore(world.dataSource);
  const rows = (sql: string) => world.dataSource.query<Record<string, unknown>[]>(sql, [executionId]);
  return {
    take: async (asker) => {
      const result = await world.claims.claim(executionId, { ...CLAIM_OPTIONS, ...asker });
      await world.holdDelay(executionId);
      if (!('claim' in result)) return null;
      const taken = toTaken(world.claims, result, postgresJournalOf(world, result.claim));
      const held = async <T>(putOff: () => Promise<T>): Promise<T> => {
        const answer = await putOff();
        await world.holdDelay(executionId);
        return answer;
      };
      return {
        ...taken,
        requeueWithBackoff: () => held(() => taken.requeueWithBackoff()),
        requeueCutOff: () => held(() => taken.requeueCutOff()),
        dieInIsolation: (enough) => held(() => taken.dieInIsolation(enough)),
      };
    },
    endLease: () => world.expireLease(executionId),
    endDelay: () => world.endDelay(executionId),
    endTime: async () => {
      await rows(`UPDATE execution SET deadline_at = now() - interval '1 second' WHERE id = $1`);
    },
    requestCancel: async () => {
      await cancellations.request(tenantId, executionId);
    },
    status: async () => {
      const [row] = await rows(
        `SELECT CASE WHEN finished_at IS NULL THEN status ELSE 'settled' END AS status FROM execution WHERE id = $1`,
      );
      return row?.['status'] as Awaited<ReturnType<ClaimBackend['status']>>;
    },
    facts: async () => {
      const facts = await rows(`SELECT kind FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`);
      return facts.map((fact) => String(fact['kind']));
    },
  };
}

function toTaken(
  claims: ClaimStore,
  { kind, claim }: Extract<ClaimResult, { readonly claim: Claim }>,
  journal: Journal,
): TakenClaim {
  const { epoch, attempt, isCancelled, isSuspect, needsFreshProcess, followsLostAttempt } = claim;
  return {
    ...{ epoch, attempt, isCancelled, isSuspect, needsFreshProcess, followsLostAttempt, journal },
    isLate: claim.remainingMs <= 0,
    isPoisoned: kind === 'poisoned',
    renew: async () => (await claims.renew([claim], CLAIM_OPTIONS.leaseMs)).has(claim.token),
    release: async () => {
      await claims.release(claim);
    },
    requeueWithBackoff: () => claims.requeueWithBackoff(claim),
    requeueCutOff: () => claims.requeueCutOff(claim),
    postpone: async () => (await claims.postpone(claim, aQueuedWait())) !== null,
    dieInIsolation: (enough) => claims.recordIsolatedDeath(claim, enough),
  };
}
