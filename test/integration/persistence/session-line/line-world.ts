import { expect } from '@jest/globals';
import { v7 as uuid } from 'uuid';
import type { Settlement } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { CancellationStore, type ExecutionClaimStore } from '#libs/persistence';
import { postgresJournalOf } from '../../../contract/journal/postgres-journal-of.js';
import { aSubmission } from '../../../support/builders/submission.js';
import { CLAIM_OPTIONS, type PersistenceWorld } from '../persistence-world.js';
import type { LineModel, ModelTurn } from './line-model.js';

interface Row {
  readonly id: string;
  readonly status: string;
  readonly turn_number: number;
  readonly attempt: number;
  readonly epoch: number;
  readonly lost_attempts: number;
  readonly isolated_deaths: number;
  readonly is_lease_over: boolean;
  readonly is_dispatched: boolean;
}

const NO_TOKENS = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
};
const SETTLEMENT: Settlement = {
  status: 'completed',
  incompleteReason: null,
  error: null,
  messages: [],
  staged: [],
  usage: [],
  totalTokens: NO_TOKENS,
  metadata: {} as Settlement['metadata'],
  totalCostUsd: '0',
  turns: 0,
};

/** The stores on a real database, and which execution stands for which turn of the model. */
export class LineWorld {
  readonly cancellations: CancellationStore;
  /** Claims in the order in which they were given, as `LineModel.claims`. */
  readonly held: Claim[] = [];
  private readonly ids: string[] = [];
  private readonly sessions = [uuid(), uuid()] as const;
  private readonly begun = new Set<number>();

  constructor(
    readonly world: PersistenceWorld,
    readonly claims: ExecutionClaimStore = world.claims,
  ) {
    this.cancellations = new CancellationStore(world.dataSource);
  }

  idOf(model: LineModel, turn: ModelTurn): string {
    return this.ids[model.turns.indexOf(turn)] ?? 'unknown';
  }

  async accept(session: number): Promise<number> {
    const sessionId = this.sessions[session] ?? '';
    const isNew = !this.begun.has(session);
    this.begun.add(session);
    const submission = aSubmission({ sessionId: isNew ? null : sessionId, newSessionId: sessionId });
    const answer = await this.world.intake.accept(submission);
    this.ids.push(submission.executionId);
    return answer.kind === 'accepted' ? answer.view.turn_number : 0;
  }

  async settle(claim: Claim): Promise<void> {
    const journal = postgresJournalOf(this.world, claim);
    await journal.read();
    const entry = { kind: 'execution_settled', outcome: { status: 'completed', text: '' } } as const;
    await journal.settle({ entries: [entry], runSteps: [] }, SETTLEMENT);
  }

  async append(claim: Claim): Promise<void> {
    const journal = postgresJournalOf(this.world, claim);
    await journal.read();
    await journal.append({
      entries: [{ kind: 'model_call_interrupted', round: 1, text: '' }],
      runSteps: [],
    });
  }

  /** It is not due at once. Then the time passes. */
  async expectDelay(executionId: string): Promise<void> {
    expect(await this.claims.claim(executionId, CLAIM_OPTIONS)).toEqual({ kind: 'not_runnable' });
    await this.wait(executionId);
  }

  /** Until it is due. */
  async wait(executionId: string): Promise<void> {
    await this.world.dataSource.query(`UPDATE execution SET due_at = NULL WHERE id = $1`, [executionId]);
  }

  /** Every row is as the model says, and the promises that need no model hold. */
  async expectLike(model: LineModel): Promise<void> {
    const [rows, broken] = await Promise.all([this.rows(), this.brokenPromises()]);
    expect(rows).toEqual(
      model.turns.map((turn) => ({
        id: this.idOf(model, turn),
        status: turn.status,
        turn_number: turn.turnNumber,
        attempt: turn.attempt,
        epoch: turn.epoch,
        lost_attempts: turn.lostAttempts,
        isolated_deaths: turn.isolatedDeaths,
        is_dispatched: turn.isDispatched,
        is_lease_over: turn.isLeaseOver,
      })),
    );
    expect(broken).toEqual([]);
  }

  private rows(): Promise<Row[]> {
    return this.world.dataSource.query(
      `SELECT id, status, turn_number, attempt, epoch, lost_attempts, isolated_deaths, dispatched_at IS NOT NULL AS is_dispatched,
              status = 'running' AND lease_expires_at < now() AS is_lease_over
         FROM execution ORDER BY array_position($1::uuid[], id)`,
      [this.ids],
    );
  }

  private brokenPromises(): Promise<unknown[]> {
    return this.world.dataSource.query(
      `SELECT 'two of a session run at once' AS broken FROM execution WHERE status = 'running'
        GROUP BY session_id HAVING count(*) > 1
       UNION ALL
       SELECT 'a turn ran before an earlier one had ended' FROM execution later JOIN execution earlier USING (session_id)
        WHERE earlier.turn_number < later.turn_number AND later.attempt > 0
          AND earlier.status IN ('queued', 'running', 'requires_action')
       UNION ALL
       SELECT 'a fact was written under an epoch that was over' FROM journal_entry later JOIN journal_entry earlier USING (execution_id)
        WHERE earlier.sequence < later.sequence AND earlier.epoch > later.epoch
       UNION ALL
       SELECT 'it was settled twice' FROM journal_entry WHERE kind = 'execution_settled'
        GROUP BY execution_id HAVING count(*) > 1`,
    );
  }
}
