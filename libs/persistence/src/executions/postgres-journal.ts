import type { Clock } from '#libs/kernel';
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
import { NO_RETRY, type Claim, type RetryPolicy, type StoredFact } from '#libs/executions';
import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import { appendAlone, type FencedWrite, prepareAppend } from './append-facts.js';
import type { ExecutionWrites } from './execution-writes.js';
import { EXECUTION_RESULT_SELECT, toResultOf, type ExecutionResultRow } from './execution-view.mapper.js';
import { insertLateEvidence } from './late-evidence.js';
import { readJournal, type JournalRow } from './read-journal.js';
import { prepareEnding } from './settle-batch.js';
import { queryRows, type Queryable } from '../sql.js';
import { offering } from '../webhooks/inline-deliveries.js';
import { askWithRetry, writeWithRetry } from './retried-queries.js';

/** Returns one row without a fact for an empty journal, and no row if the claim does not hold the execution. */
const READ_SQL = `
  SELECT sequence, version, kind, scope, data
    FROM execution LEFT JOIN journal_entry ON execution_id = id
   WHERE id = $1 AND claim_token = $2 ORDER BY sequence`;

/**
 * Journal of one claimed execution. Each write is one statement with fence, facts and audit rows; writes of several
 * journals may share a transaction.
 */
export class PostgresJournal extends Journal {
  private nextSequence = 1;
  /** Batch of a write that finally failed. It may have landed nevertheless, and later batches build on it. */
  private failed: (JournalBatch & { readonly error: unknown }) | null = null;

  /** @param clock the database's time, as the attempt knows it */
  constructor(
    private readonly writes: ExecutionWrites,
    private readonly claim: Claim,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly retries: RetryPolicy = NO_RETRY,
    /** Facts read with the claim, valid until the first read or write. */
    private known: readonly StoredFact[] | null = null,
  ) {
    super();
  }

  /** With facts from the claim, a lost claim is only noticed by the first write. */
  override async read(): Promise<readonly JournalEntry[]> {
    const rows = this.known ?? (await this.ask());
    this.known = null;
    this.nextSequence = (rows.at(-1)?.sequence ?? 0) + 1;
    return readJournal(rows);
  }

  private async ask(): Promise<readonly JournalRow[]> {
    const { executionId, epoch, token } = this.claim;
    const ask = () =>
      queryRows<JournalRow | Record<keyof JournalRow, null>>(this.writes.dataSource, READ_SQL, [
        executionId,
        token,
      ]);
    const found = await askWithRetry(ask, this.retries);
    if (found.length === 0) throw new LeaseLostError(executionId, epoch);
    return found.filter((row): row is JournalRow => row.sequence !== null);
  }

  /** After a final failure every later write fails too; its batch is added to the failed one for `handOver`. */
  override async append(batch: JournalBatch): Promise<void> {
    if (this.failed !== null) {
      const { entries, runSteps, error } = this.failed;
      const failed = { entries: [...entries, ...batch.entries], runSteps: [...runSteps, ...batch.runSteps] };
      this.failed = { ...failed, error };
      throw error;
    }
    const findLanded = async () => ((await this.hasFactsOf(batch)) ? { answer: undefined } : null);
    await this.persist(batch, () => this.write(batch), findLanded);
  }

  override settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult> {
    return this.persist(
      batch,
      () => this.end(batch, settlement),
      () => this.findClosed(),
    );
  }

  override park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView> {
    const { dataSource, endings } = this.writes;
    const parking = () =>
      offering(endings.inlineDeliveries, 1, async (offer) => {
        const parked = await dataSource.transaction(async (manager) => {
          this.assertHeld(await appendAlone(manager, prepareAppend(this.fenced(batch))));
          return endings.park(manager, this.claim, calls, offer);
        });
        return { answer: parked.view, inlineDeliveries: [parked.inlineDeliveries] };
      });
    return this.persist(batch, parking, () => this.findClosed());
  }

  override async recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void> {
    await insertLateEvidence(this.writes.dataSource, this.claim, observed);
  }

  private async end(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult> {
    const { claim, writes } = this;
    const { staged } = settlement;
    const finishedAt = new Date(this.clock.now());
    const prepare = (written: JournalBatch) =>
      prepareEnding(claim, this.fenced(written), settlement, finishedAt, writes.endings.titleOf(claim));
    const ending = prepare(staged.length > 0 ? NO_FACTS : batch);
    const settled = await (staged.length > 0
      ? writes.settleWithChanges(claim, prepareAppend(this.fenced(batch), claim.sessionId), ending, staged)
      : writes.settle(ending));
    return ending.toResult(this.assertHeld(settled));
  }

  /** Records outcomes of a write that came too late as evidence; only this path costs an extra commit. */
  private async persist<T>(
    batch: JournalBatch,
    write: () => Promise<T>,
    findLanded: () => Promise<{ readonly answer: T } | null>,
  ): Promise<T> {
    try {
      const answer = await writeWithRetry(write, findLanded, this.retries);
      this.nextSequence += batch.entries.length;
      return answer;
    } catch (error) {
      if (error instanceof LeaseLostError) await this.recordLateOutcomes(observedOutcomes(batch.entries));
      else this.failed = { ...batch, error };
      throw error;
    }
  }

  /** Locks the execution first, so that a write in flight has either landed before or will be refused. */
  override async handOver(): Promise<void> {
    const { failed } = this;
    if (failed === null) return;
    try {
      await this.writes.dataSource.transaction(async (manager) => {
        await this.lock(manager);
        const landed = await this.readFrom(manager, this.nextSequence);
        const { entries, runSteps } = unwrittenFacts(failed, landed);
        if (entries.length === 0) return;
        const batch = this.fenced({ entries, runSteps }, this.nextSequence + landed.length);
        this.assertHeld(await appendAlone(manager, prepareAppend(batch)));
      });
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      await this.recordLateOutcomes(observedOutcomes(failed.entries));
    }
    this.failed = null;
  }

  /** Waits for concurrent writers; throws if another claim may have written since. */
  private async lock(manager: Queryable): Promise<void> {
    const { executionId, token } = this.claim;
    const rows = await queryRows(
      manager,
      'SELECT FROM execution WHERE id = $1 AND claim_token = $2 FOR NO KEY UPDATE',
      [executionId, token],
    );
    this.assertHeld(rows[0] ?? null);
  }

  private async readFrom(manager: Queryable, sequence: number): Promise<readonly JournalEntry[]> {
    const [row] = await queryRows<{ facts: readonly JournalEntry[] | null }>(
      manager,
      `SELECT jsonb_agg(data || jsonb_build_object('kind', kind) || CASE WHEN scope = '' THEN '{}' ELSE jsonb_build_object('scope', scope) END ORDER BY sequence) AS facts
         FROM journal_entry WHERE execution_id = $1 AND sequence >= $2`,
      [this.claim.executionId, sequence],
    );
    return row?.facts ?? [];
  }

  /**
   * Whether this claim has written the batch. While its token is current no other claim can write, so a fact at the
   * batch's last sequence is its own.
   */
  private async hasFactsOf({ entries }: JournalBatch): Promise<boolean> {
    if (entries.length === 0) return false;
    const { executionId, token } = this.claim;
    const rows = await queryRows(
      this.writes.dataSource,
      `SELECT 1 FROM execution JOIN journal_entry ON execution_id = id
        WHERE id = $1 AND claim_token = $2 AND sequence = $3`,
      [executionId, token, this.nextSequence + entries.length - 1],
    );
    return rows.length > 0;
  }

  /**
   * The execution, if this claim settled or parked it but got no response: the token is unchanged, and the status is no
   * longer `running`.
   */
  private async findClosed(): Promise<{ readonly answer: ExecutionResult } | null> {
    const { executionId, token } = this.claim;
    const [row] = await queryRows<ExecutionResultRow>(
      this.writes.dataSource,
      `${EXECUTION_RESULT_SELECT} WHERE e.id = $1 AND e.claim_token = $2 AND e.status <> 'running'`,
      [executionId, token],
    );
    if (!row) return null;
    this.writes.endings.inlineDeliveries.adopt(executionId);
    // The lost response would have reported due work.
    this.writes.endings.onWaiting();
    return { answer: toResultOf(row) };
  }

  private async write(batch: JournalBatch): Promise<void> {
    const isHeld = await this.writes.append(prepareAppend(this.fenced(batch)));
    this.assertHeld(isHeld ? batch : null);
  }

  /** @param sequence sequence of the first fact */
  private fenced(batch: JournalBatch, sequence = this.nextSequence): FencedWrite {
    const { executionId, token, epoch } = this.claim;
    return { executionId, token, epoch, after: sequence - 1, batch };
  }

  private assertHeld<T>(written: T | null): T {
    if (written === null) throw new LeaseLostError(this.claim.executionId, this.claim.epoch);
    return written;
  }
}

const NO_FACTS: JournalBatch = { entries: [], runSteps: [] };
