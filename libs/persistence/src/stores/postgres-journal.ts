import type { DataSource, EntityManager } from 'typeorm';
import { toStorableJson } from '#libs/kernel';
import {
  Journal,
  LeaseLostError,
  observedOutcomes,
  unwrittenFacts,
  type JournalBatch,
  type JournalEntry,
  type ObservedOutcome,
  type Settlement,
} from '#libs/agent-core';
import { IMPATIENT, type Claim, type Patience, type StoredFact } from '#libs/executions';
import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import { isDatabaseTrouble } from '../database-failure.js';
import { insertFactsSql, toFactRows } from './append-facts.js';
import type { ExecutionEndings } from './execution-endings.js';
import { EXECUTION_RESULT_SELECT, toResultOf, type ExecutionResultRow } from './execution-view.mapper.js';
import { insertLateEvidence } from './late-evidence.js';
import { readJournal, type JournalRow } from './read-journal.js';
import { queryRows } from '../sql.js';
import { askPatiently, writePatiently } from './write-patience.js';

interface WriteOptions {
  readonly sessionToLock?: string | null;
  /** Of the first fact. */
  readonly sequence?: number;
}

/** One row without a fact where there is none yet; none at all where somebody else holds the execution. */
const READ_SQL = `
  SELECT sequence, version, kind, scope, data
    FROM execution LEFT JOIN journal_entry ON execution_id = id
   WHERE id = $1 AND claim_token = $2 ORDER BY sequence`;

/** The journal of one claimed execution. Every append is one statement: fence, facts and audit rows in one transaction. */
export class PostgresJournal extends Journal {
  private nextSequence = 1;
  /** What the last write came with, where the database refused it to the end: it may have landed all the same. */
  private failed: (JournalBatch & { readonly error: unknown }) | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly claim: Claim,
    private readonly endings: ExecutionEndings,
    private readonly patience: Patience = IMPATIENT,
    /** What came with the claim, where nothing was written since; until it was read. */
    private known: readonly StoredFact[] | null = null,
  ) {
    super();
  }

  /** Where the facts came with the claim, who has lost it since learns so from his first write. */
  override async read(): Promise<readonly JournalEntry[]> {
    const rows = this.known ?? (await this.ask());
    this.known = null;
    this.nextSequence = (rows.at(-1)?.sequence ?? 0) + 1;
    return readJournal(rows);
  }

  private async ask(): Promise<readonly JournalRow[]> {
    const { executionId, epoch, token } = this.claim;
    const ask = () =>
      queryRows<JournalRow | Record<keyof JournalRow, null>>(this.dataSource, READ_SQL, [executionId, token]);
    const found = await askPatiently(ask, this.patience);
    if (found.length === 0) throw new LeaseLostError(executionId, epoch);
    return found.filter((row): row is JournalRow => row.sequence !== null);
  }

  /** Once a write was refused to the end, so is every later one; what it came with is kept beside, for `handOver`. */
  override async append(batch: JournalBatch): Promise<void> {
    if (this.failed !== null) {
      const { entries, runSteps, error } = this.failed;
      const failed = { entries: [...entries, ...batch.entries], runSteps: [...runSteps, ...batch.runSteps] };
      this.failed = { ...failed, error };
      throw error;
    }
    const findLanded = async () => ((await this.hasFactsOf(batch)) ? { answer: undefined } : null);
    await this.persist(batch, () => this.write(this.dataSource.manager, batch), findLanded);
  }

  /** The session is locked before the execution, as by everybody who settles: two that settle cannot lock each other out. */
  override settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult> {
    const end = (manager: EntityManager) => this.endings.settle(manager, this.claim, settlement);
    return this.close(batch, { sessionToLock: this.claim.sessionId }, end, () => this.findClosed());
  }

  override park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView> {
    const end = (manager: EntityManager) => this.endings.park(manager, this.claim, calls);
    return this.close(batch, {}, end, () => this.findClosed());
  }

  override async recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void> {
    await insertLateEvidence(this.dataSource, this.claim, observed);
  }

  private close<View>(
    batch: JournalBatch,
    options: WriteOptions,
    end: (manager: EntityManager) => Promise<View>,
    findClosed: () => Promise<{ readonly answer: View } | null>,
  ): Promise<View> {
    const closing = () =>
      this.dataSource.transaction(async (manager) => {
        await this.write(manager, batch, options);
        return end(manager);
      });
    return this.persist(batch, closing, findClosed);
  }

  /** What a write that comes too late would have recorded is not lost; only on this path it costs a commit. */
  private async persist<T>(
    batch: JournalBatch,
    write: () => Promise<T>,
    findLanded: () => Promise<{ readonly answer: T } | null>,
  ): Promise<T> {
    try {
      const answer = await writePatiently(write, findLanded, this.patience);
      this.nextSequence += batch.entries.length;
      return answer;
    } catch (error) {
      if (error instanceof LeaseLostError) await this.recordLateOutcomes(observedOutcomes(batch.entries));
      else if (isDatabaseTrouble(error)) this.failed = { ...batch, error };
      throw error;
    }
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
   * there, so that a fact in the place of the batch's last one is its own work.
   */
  private async hasFactsOf({ entries }: JournalBatch): Promise<boolean> {
    if (entries.length === 0) return false;
    const { executionId, token } = this.claim;
    const rows = await queryRows(
      this.dataSource,
      `SELECT 1 FROM execution JOIN journal_entry ON execution_id = id
        WHERE id = $1 AND claim_token = $2 AND sequence = $3`,
      [executionId, token, this.nextSequence + entries.length - 1],
    );
    return rows.length > 0;
  }

  /** The execution, where this claim has closed it: it holds it no more, and nobody has claimed it since. */
  private async findClosed(): Promise<{ readonly answer: ExecutionResult } | null> {
    const { executionId, token } = this.claim;
    const [row] = await queryRows<ExecutionResultRow>(
      this.dataSource,
      `${EXECUTION_RESULT_SELECT} WHERE e.id = $1 AND e.claim_token = $2 AND e.status <> 'running'`,
      [executionId, token],
    );
    return row ? { answer: toResultOf(row) } : null;
  }

  private async write(
    manager: EntityManager,
    batch: JournalBatch,
    { sessionToLock = null, sequence = this.nextSequence }: WriteOptions = {},
  ): Promise<void> {
    const { executionId, epoch, token } = this.claim;
    const [fence] = await queryRows<{ held: number }>(manager, APPEND_SQL, [
      executionId,
      token,
      toFactRows(batch.entries),
      JSON.stringify(batch.runSteps.map((step) => toStorableJson(toRow(step)))),
      sessionToLock,
      epoch,
      sequence - 1,
    ]);
    if (fence?.held !== 1) throw new LeaseLostError(executionId, epoch);
  }
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
    ${insertFactsSql({ of: 'fence', epoch: '$6', after: '$7::int', rows: '$3' })}
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
