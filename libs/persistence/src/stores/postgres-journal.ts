import type { DataSource, EntityManager } from 'typeorm';
import { toStorableJson } from '#libs/kernel';
import {
  Journal,
  LeaseLostError,
  observedOutcomes,
  ROOT,
  unwrittenFacts,
  type JournalBatch,
  type JournalEntry,
  type ObservedOutcome,
  type Settlement,
} from '#libs/agent-core';
import type { PendingCall } from '#libs/payloads';
import type { Claim } from './execution-claim.store.js';
import { isDatabaseTrouble } from '../database-failure.js';
import { versionOf } from './journal-version.js';
import { insertLateEvidence } from './late-evidence.js';
import { readJournal, type JournalRow } from './read-journal.js';
import { queryRows } from '../sql.js';
import { askPatiently, IMPATIENT, writePatiently, type Patience } from './write-patience.js';

/** What the last and the parking transaction hold beside the journal. */
export interface JournalTransactions {
  settle(manager: EntityManager, settlement: Settlement): Promise<void>;
  park(manager: EntityManager, calls: readonly PendingCall[]): Promise<void>;
}

interface WriteOptions {
  readonly sessionToLock?: string | null;
  /** Of the first fact. */
  readonly sequence?: number;
}

/** The journal of one claimed execution. Every append is one statement: fence, facts and audit rows in one transaction. */
export class PostgresJournal extends Journal {
  private nextSequence = 1;
  /** What the last write came with, where the database refused it to the end: it may have landed all the same. */
  private failed: (JournalBatch & { readonly error: unknown }) | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly claim: Claim,
    private readonly transactions: JournalTransactions,
    private readonly patience: Patience = IMPATIENT,
  ) {
    super();
  }

  override async read(): Promise<readonly JournalEntry[]> {
    const select = `SELECT sequence, version, kind, scope, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`;
    const ask = () => queryRows<JournalRow>(this.dataSource, select, [this.claim.executionId]);
    const rows = await askPatiently(ask, this.patience);
    this.nextSequence = (rows.at(-1)?.sequence ?? 0) + 1;
    return readJournal(rows);
  }

  /** Once a write was refused to the end, so is every later one; what it came with is kept beside, for `handOver`. */
  override async append(batch: JournalBatch): Promise<void> {
    if (this.failed !== null) {
      const { entries, runSteps, error } = this.failed;
      const failed = { entries: [...entries, ...batch.entries], runSteps: [...runSteps, ...batch.runSteps] };
      this.failed = { ...failed, error };
      throw error;
    }
    await this.persist(batch, () => this.write(this.dataSource.manager, batch));
  }

  /** The session is locked before the execution, as by everybody who settles: two that settle cannot lock each other out. */
  override async settle(batch: JournalBatch, settlement: Settlement): Promise<void> {
    const settling = () =>
      this.dataSource.transaction(async (manager) => {
        await this.write(manager, batch, { sessionToLock: this.claim.sessionId });
        await this.transactions.settle(manager, settlement);
      });
    await this.persist(batch, settling, true);
  }

  override async park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<void> {
    const parking = () =>
      this.dataSource.transaction(async (manager) => {
        await this.write(manager, batch);
        await this.transactions.park(manager, calls);
      });
    await this.persist(batch, parking, true);
  }

  override async recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void> {
    await insertLateEvidence(this.dataSource, this.claim, observed);
  }

  /** What a write that comes too late would have recorded is not lost; only on this path it costs a commit. */
  private async persist(batch: JournalBatch, write: () => Promise<void>, isClosing = false): Promise<void> {
    try {
      await writePatiently(write, () => this.hasLanded(batch, isClosing), this.patience);
    } catch (error) {
      if (error instanceof LeaseLostError) await this.recordLateOutcomes(observedOutcomes(batch.entries));
      else if (isDatabaseTrouble(error)) this.failed = { ...batch, error };
      throw error;
    }
    this.nextSequence += batch.entries.length;
  }

  override async handOver(): Promise<void> {
    const { failed } = this;
    if (failed === null) return;
    try {
      const landed = await this.readFrom(this.nextSequence);
      const { entries, runSteps } = unwrittenFacts(failed, landed);
      const sequence = this.nextSequence + landed.length;
      if (entries.length > 0) await this.write(this.dataSource.manager, { entries, runSteps }, { sequence });
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      await this.recordLateOutcomes(observedOutcomes(failed.entries));
    }
    this.failed = null;
  }

  /** Facts of this claim; throws where somebody else may have written since. */
  private async readFrom(sequence: number): Promise<readonly JournalEntry[]> {
    const { executionId, epoch, token } = this.claim;
    const [row] = await queryRows<{ facts: readonly JournalEntry[] | null }>(
      this.dataSource,
      `SELECT (SELECT jsonb_agg(data || jsonb_build_object('kind', kind) || CASE WHEN scope = '' THEN '{}' ELSE jsonb_build_object('scope', scope) END ORDER BY sequence)
                 FROM journal_entry WHERE execution_id = execution.id AND sequence >= $3) AS facts
         FROM execution WHERE id = $1 AND claim_token = $2`,
      [executionId, token, sequence],
    );
    if (!row) throw new LeaseLostError(executionId, epoch);
    return row.facts ?? [];
  }

  /**
   * Whether this claim has written the batch. As long as its token is the one of the execution nobody else has written
   * there, so that a fact in the place of the batch's last one, or an execution that it holds no more, is its own work.
   */
  private async hasLanded(batch: JournalBatch, isClosing: boolean): Promise<boolean> {
    const { executionId, token } = this.claim;
    const [row] = await queryRows<{ is_closed: boolean; has_fact: boolean }>(
      this.dataSource,
      `SELECT status <> 'running' AS is_closed,
              EXISTS (SELECT 1 FROM journal_entry WHERE execution_id = execution.id AND sequence = $3) AS has_fact
         FROM execution WHERE id = $1 AND claim_token = $2`,
      [executionId, token, this.nextSequence + batch.entries.length - 1],
    );
    if (!row) return false;
    return isClosing ? row.is_closed : batch.entries.length > 0 && row.has_fact;
  }

  private async write(
    manager: EntityManager,
    batch: JournalBatch,
    { sessionToLock = null, sequence = this.nextSequence }: WriteOptions = {},
  ): Promise<void> {
    const { executionId, epoch, token } = this.claim;
    const entries = batch.entries.map((entry, index) => toFact(entry, sequence + index));
    const [fence] = await queryRows<{ held: number }>(manager, APPEND_SQL, [
      executionId,
      token,
      JSON.stringify(entries),
      JSON.stringify(batch.runSteps.map((step) => toStorableJson(toRow(step)))),
      sessionToLock,
      epoch,
    ]);
    if (fence?.held !== 1) throw new LeaseLostError(executionId, epoch);
  }
}

function toFact(entry: JournalEntry, sequence: number): object {
  const { kind, scope = ROOT, ...data } = entry;
  return { sequence, version: versionOf(entry), kind, scope, data: toStorableJson(data) };
}

function toRow(step: JournalBatch['runSteps'][number]): object {
  const { scope, round, position, callId: call_id, toolName: tool_name, input, output, status, error } = step;
  const times = { started_ms: step.startedAt, finished_ms: step.finishedAt };
  return { scope, round, position, call_id, tool_name, input, output, status, error, ...times };
}

const APPEND_SQL = `
  WITH session AS (
    SELECT 1 FROM chat_session WHERE id = $5::uuid FOR NO KEY UPDATE
  ), fence AS (
    SELECT id, tenant_id, attempt FROM execution
     WHERE ($5::uuid IS NULL OR EXISTS (SELECT 1 FROM session)) AND id = $1 AND claim_token = $2 AND status = 'running'
       FOR UPDATE
  ), facts AS (
    INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
    SELECT fence.id, entry.sequence, fence.tenant_id, $6, entry.version, entry.kind, entry.scope, entry.data
      FROM fence, jsonb_to_recordset($3::jsonb) AS entry (sequence int, version int, kind text, scope text, data jsonb)
  ), steps AS (
    INSERT INTO run_step (execution_id, scope, round, position, tenant_id, attempt, call_id, tool_name, input, output, status, error,
                          started_at, finished_at)
    SELECT fence.id, step.scope, step.round, step.position, fence.tenant_id, fence.attempt, step.call_id, step.tool_name, step.input,
           step.output, step.status, step.error,
           coalesce(to_timestamp(step.started_ms / 1000), earlier.started_at, clock_timestamp()),
           CASE WHEN step.status = 'started' THEN NULL
                ELSE coalesce(to_timestamp(step.finished_ms / 1000), clock_timestamp()) END
      FROM fence
     CROSS JOIN jsonb_to_recordset($4::jsonb) AS step (scope text, round int, position int, call_id text, tool_name text, input jsonb,
                  output jsonb, status text, error text, started_ms float8, finished_ms float8)
      LEFT JOIN run_step earlier ON (earlier.execution_id, earlier.scope, earlier.round, earlier.position)
                                = (fence.id, step.scope, step.round, step.position)
    ON CONFLICT (execution_id, scope, round, position) DO UPDATE
      SET attempt = excluded.attempt, output = excluded.output, status = excluded.status, error = excluded.error,
          started_at = excluded.started_at, finished_at = excluded.finished_at
  )
  SELECT count(*)::int AS held FROM fence`;
