import type { JournalEntry } from '#libs/agent-core';
import {
  AgentStore,
  ApprovalStore,
  CancellationStore,
  ExecutionContextStore,
  ExecutionAcceptanceStore,
  PostgresMemories,
  SessionChangesStore,
  SessionSummaryStore,
} from '#libs/persistence';
import type { PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { postgresJournalOf } from '../journal/postgres-journal-of.js';
import type { StoredExecutionsBackend } from './executions-backend.js';
import { emptyTables } from '../../support/services/empty-tables.js';

const ANY_VERSION = { expected: null, onlyActive: false };

/** Stores on PostgreSQL, emptied of the executions and memories of the previous test. */
export async function executionsInPostgres(world: PersistenceWorld): Promise<StoredExecutionsBackend> {
  await world.clear();
  const { dataSource, acceptances, executions, dispatches, claims } = world;
  const agents = new AgentStore(dataSource);
  const sessions = new SessionChangesStore(dataSource);
  await agents.update('default', 1, { is_active: true, config: {} }, ANY_VERSION);
  await emptyTables(dataSource, 'memory');
  return {
    ...{ acceptances, executions, dispatches, claims },
    acceptancesWithin: (options) => new ExecutionAcceptanceStore(dataSource, options),
    cancellations: new CancellationStore(dataSource),
    decisions: new ApprovalStore(dataSource),
    summaries: new SessionSummaryStore(dataSource),
    makeSummaryDue: async (sessionId) => {
      await dataSource.query(
        `UPDATE session_summary_order SET due_at = now(), lease_expires_at = now() - interval '1 second', dispatched_at = NULL
          WHERE session_id = $1`,
        [sessionId],
      );
    },
    summaryUsage: async (executionId) => {
      const rows: { call: string }[] = await dataSource.query(
        `SELECT round || '.' || try_number || ' ' || state AS call FROM usage_log
          WHERE execution_id = $1 AND purpose = 'summary' ORDER BY round, try_number`,
        [executionId],
      );
      return rows.map(({ call }) => call);
    },
    contexts: new ExecutionContextStore(dataSource),
    memories: new PostgresMemories(dataSource),
    journalOf: (claim) => postgresJournalOf(world, claim),
    facts: (executionId) => factsOf(world, executionId),
    endLease: (executionId) => world.expireLease(executionId),
    endDelay: (executionId) => world.endDelay(executionId),
    archive: async (sessionId) => {
      await sessions.setArchived('default', sessionId, true);
    },
    reset: async (sessionId) => {
      await sessions.reset('default', sessionId);
    },
    changeAgent: async ({ systemPrompt, isActive, config }) => {
      const change = {
        ...(systemPrompt !== undefined && { system_prompt: systemPrompt }),
        ...(isActive !== undefined && { is_active: isActive }),
        ...(config !== undefined && { config }),
      };
      await agents.update('default', 1, change, ANY_VERSION);
    },
  };
}

/** Reads the facts from the table, which needs no claim. */
async function factsOf({ dataSource }: PersistenceWorld, executionId: string): Promise<JournalEntry[]> {
  const select = `SELECT kind, scope, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`;
  const rows: { kind: string; scope: string; data: object }[] = await dataSource.query(select, [executionId]);
  return rows.map(
    ({ kind, scope, data }) => ({ kind, ...(scope !== '' && { scope }), ...data }) as JournalEntry,
  );
}
