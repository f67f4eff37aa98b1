import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Journal } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { InMemoryExecution, type InMemoryClaim } from '#libs/kit-testing';
import { PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { aSubmission } from '../../support/builders/submission.js';
import { InMemoryJournal } from '../../support/fakes/in-memory-journal.js';
import type { JournalBackend } from './journal-backend.js';
import { describeJournal } from './journal.contract.js';
import { postgresJournalOf } from './postgres-journal-of.js';

describe('a journal in memory', () => {
  describeJournal(startInMemory);
});

describe('a journal in PostgreSQL', () => {
  let world: PersistenceWorld;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
  });
  afterAll(() => world.close());
  describeJournal(() => startPostgres(world));
});

function startInMemory(): Promise<JournalBackend> {
  const execution = new InMemoryExecution();
  let claim: InMemoryClaim | undefined;
  const open = (): InMemoryJournal => new InMemoryJournal(execution, claim);
  return Promise.resolve({
    claim: () => {
      claim = execution.claim();
      return Promise.resolve(open());
    },
    reopen: open,
    unpark: () => {
      execution.status = 'queued';
      return Promise.resolve();
    },
    forgetClaim: () => {
      execution.status = 'queued';
      execution.epoch -= 1;
      return Promise.resolve();
    },
    epochs: () => Promise.resolve(execution.facts.map((fact) => fact.epoch)),
    stepStatuses: () => Promise.resolve([...execution.steps.values()].map((step) => step.status)),
    settlements: () => Promise.resolve(execution.settlements.length),
  });
}

async function startPostgres(world: PersistenceWorld): Promise<JournalBackend> {
  const { executionId } = aSubmission();
  await world.acceptances.accept(aSubmission({ executionId }));
  let claim: Claim | undefined;
  const open = (): Journal => {
    if (!claim) throw new Error('nobody has claimed it');
    return postgresJournalOf(world, claim);
  };
  const rows = (sql: string) => world.dataSource.query<Record<string, unknown>[]>(sql, [executionId]);
  return {
    claim: async () => {
      if (claim) await world.expireLease(executionId);
      claim = await world.claim(executionId);
      return open();
    },
    reopen: open,
    unpark: async () => {
      await rows(`UPDATE execution SET status = 'queued' WHERE id = $1`);
    },
    forgetClaim: async () => {
      await rows(`UPDATE execution SET status = 'queued', epoch = epoch - 1 WHERE id = $1`);
    },
    epochs: async () => {
      const facts = await rows(`SELECT epoch FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`);
      return facts.map((fact) => Number(fact.epoch));
    },
    stepStatuses: async () => {
      const steps = await world.stepsOf(executionId);
      return steps.map((step) => step.status);
    },
    settlements: async () =>
      (await rows(`SELECT 1 FROM execution WHERE id = $1 AND finished_at IS NOT NULL`)).length,
  };
}
