import type { DataSource, EntityManager } from 'typeorm';
import { AppError, toStorableJson } from '#libs/kernel';
import {
  Journal,
  LeaseLostError,
  type JournalBatch,
  type JournalEntry,
  type Settlement,
} from '#libs/agent-core';
import type { PendingCall } from '#libs/payloads';
import { journalEntrySchema } from './journal-entry.schema.js';
import type { Claim } from './execution-claim.store.js';
import { queryRows } from '../sql.js';

export const JOURNAL_VERSION = 1;

/** What the last and the parking transaction hold beside the journal. */
export interface JournalTransactions {
  settle(manager: EntityManager, settlement: Settlement): Promise<void>;
  park(manager: EntityManager, calls: readonly PendingCall[]): Promise<void>;
}

/** The journal of one claimed execution. Every append is one statement: fence, facts and audit rows in one transaction. */
export class PostgresJournal extends Journal {
  private nextSequence = 1;

  constructor(
    private readonly dataSource: DataSource,
    private readonly claim: Claim,
    private readonly transactions: JournalTransactions,
  ) {
    super();
  }

  override async read(): Promise<readonly JournalEntry[]> {
    const rows = await queryRows<{ sequence: number; version: number; kind: string; data: object }>(
      this.dataSource,
      `SELECT sequence, version, kind, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`,
      [this.claim.executionId],
    );
    this.nextSequence = (rows.at(-1)?.sequence ?? 0) + 1;
    return rows.map((row) => {
      if (row.version > JOURNAL_VERSION) throw tooNew(row.version);
      return journalEntrySchema.parse({ ...row.data, kind: row.kind }) as JournalEntry;
    });
  }

  override async append(batch: JournalBatch): Promise<void> {
    await this.write(this.dataSource.manager, batch);
  }

  /** The session is locked before the execution, as by everybody who settles: two that settle cannot lock each other out. */
  override async settle(batch: JournalBatch, settlement: Settlement): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.write(manager, batch, this.claim.sessionId);
      await this.transactions.settle(manager, settlement);
    });
  }

  override async park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.write(manager, batch);
      await this.transactions.park(manager, calls);
    });
  }

  private async write(
    manager: EntityManager,
    batch: JournalBatch,
    sessionToLock: string | null = null,
  ): Promise<void> {
    const { executionId, epoch } = this.claim;
    const entries = batch.entries.map(({ kind, ...data }, index) => ({
      sequence: this.nextSequence + index,
      kind,
      data: toStorableJson(data),
    }));
    const [fence] = await queryRows<{ held: number }>(manager, APPEND_SQL, [
      executionId,
      epoch,
      JSON.stringify(entries),
      JSON.stringify(batch.runSteps.map(toRow)),
      JOURNAL_VERSION,
      sessionToLock,
    ]);
    if (fence?.held !== 1) throw new LeaseLostError(executionId, epoch);
    this.nextSequence += entries.length;
  }
}

function toRow(step: JournalBatch['runSteps'][number]): object {
  const { round, position, callId: call_id, toolName: tool_name, input, output, status, error } = step;
  return { round, position, call_id, tool_name, input, output, status, error };
}

function tooNew(version: number): AppError {
  return new AppError({
    code: 'JOURNAL_TOO_NEW',
    kind: 'unavailable',
    message: `the journal was written by a newer release (version ${version}); this worker cannot continue it`,
    retryable: true,
  });
}

const APPEND_SQL = `
  WITH session AS (
    SELECT 1 FROM chat_session WHERE id = $6::uuid FOR NO KEY UPDATE
  ), fence AS (
    SELECT id, tenant_id, attempt FROM execution
     WHERE ($6::uuid IS NULL OR EXISTS (SELECT 1 FROM session)) AND id = $1 AND epoch = $2 AND status = 'running'
       FOR UPDATE
  ), facts AS (
    INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, data)
    SELECT fence.id, entry.sequence, fence.tenant_id, $2, $5, entry.kind, entry.data
      FROM fence, jsonb_to_recordset($3::jsonb) AS entry (sequence int, kind text, data jsonb)
  ), steps AS (
    INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, input, output, status, error, finished_at)
    SELECT fence.id, step.round, step.position, fence.tenant_id, fence.attempt, step.call_id, step.tool_name, step.input,
           step.output, step.status, step.error, CASE WHEN step.status = 'started' THEN NULL ELSE clock_timestamp() END
      FROM fence, jsonb_to_recordset($4::jsonb) AS step (round int, position int, call_id text, tool_name text,
                                                         input jsonb, output jsonb, status text, error text)
    ON CONFLICT (execution_id, round, position) DO UPDATE
      SET attempt = excluded.attempt, output = excluded.output, status = excluded.status, error = excluded.error,
          finished_at = excluded.finished_at
  )
  SELECT count(*)::int AS held FROM fence`;
