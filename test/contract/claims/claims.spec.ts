import { afterAll, beforeAll, describe } from '@jest/globals';
import { CancellationStore } from '#libs/persistence';
import type { Claim } from '#libs/executions';
import { CLAIM_OPTIONS, PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { aSubmission } from '../../support/builders/submission.js';
import { InMemoryJournal } from '../../support/fakes/in-memory-journal.js';
import { ContendedExecution } from '../../support/interleavings/contended-execution.js';
import { postgresJournalOf } from '../journal/postgres-journal-of.js';
import type { ClaimBackend, TakenClaim } from './claim-backend.js';
import { describeClaims } from './claims.contract.js';

/** What the interleavings of the loop are tried on. */
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
  return {
    take: () => {
      const claim = execution.take();
      const taken = claim && {
        ...claim,
        journal: new InMemoryJournal(execution, claim),
        renew: () => Promise.resolve(execution.renew(claim)),
        release: () => {
          execution.release(claim);
          return Promise.resolve();
        },
      };
      return Promise.resolve(taken);
    },
    endLease: () => {
      execution.isLeaseOver = true;
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
  await world.intake.accept(aSubmission({ executionId }));
  const cancellations = new CancellationStore(world.dataSource);
  const rows = (sql: string) => world.dataSource.query<Record<string, unknown>[]>(sql, [executionId]);
  const toTaken = (claim: Claim): TakenClaim => ({
    epoch: claim.epoch,
    attempt: claim.attempt,
    isCancelled: claim.isCancelled,
    isLate: claim.remainingMs <= 0,
    journal: postgresJournalOf(world, claim),
    renew: async () => (await world.claims.renew([claim], CLAIM_OPTIONS.leaseMs)).has(claim.token),
    release: async () => {
      await world.claims.release(claim);
    },
  });
  return {
    take: async () => {
      const result = await world.claims.claim(executionId, CLAIM_OPTIONS);
      return result.kind === 'claimed' ? toTaken(result.claim) : null;
    },
    endLease: () => world.expireLease(executionId),
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
