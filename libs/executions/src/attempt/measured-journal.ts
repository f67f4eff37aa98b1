import {
  Journal,
  LeaseLostError,
  type JournalBatch,
  type JournalEntry,
  type ObservedOutcome,
  type Settlement,
  type UsageRecord,
} from '#libs/agent-core';
import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { Claim } from '../ports/claim-store.js';
import type { ExecutionMeter, MeasuredEnding, MeasuredModelCall } from '../ports/execution-meter.js';
import type { RunLog } from '../ports/run-log.js';

/** Records metrics for each write once it is committed, logs the settlement, and notes a refusal by the fence. */
export class MeasuredJournal extends Journal {
  private refused = false;

  constructor(
    private readonly journal: Journal,
    private readonly claim: Claim,
    private readonly meter: ExecutionMeter,
    private readonly logger: RunLog,
  ) {
    super();
  }

  override read(): Promise<readonly JournalEntry[]> {
    return this.journal.read();
  }

  /** True once the fence has refused a write: another worker claimed the execution, even if the database forgot that. */
  get isRefused(): boolean {
    return this.refused;
  }

  override async append(batch: JournalBatch): Promise<void> {
    await this.write(this.journal.append(batch));
    this.count(batch);
  }

  override async park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView> {
    const view = await this.write(this.journal.park(batch, calls));
    this.count(batch);
    return view;
  }

  override async settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult> {
    const result = await this.write(this.journal.settle(batch, settlement));
    this.count(batch);
    this.meter.record({ kind: 'model_calls', calls: measureModelCalls(settlement.usage) });
    this.meter.record({ kind: 'settled', ...measureEnding(result) });
    this.logger.info(describeEnding(this.claim, result), 'execution settled');
    return result;
  }

  override recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void> {
    return this.journal.recordLateOutcomes(observed);
  }

  override handOver(): Promise<void> {
    return this.journal.handOver();
  }

  private async write<Answer>(writing: Promise<Answer>): Promise<Answer> {
    try {
      return await writing;
    } catch (error) {
      if (error instanceof LeaseLostError) this.refused = true;
      throw error;
    }
  }

  private count({ entries }: JournalBatch): void {
    const outcomes = entries.flatMap((entry) =>
      entry.kind === 'tool_call_settled' ? [entry.outcome.status] : [],
    );
    const asked = entries.filter(({ kind }) => kind === 'outcome_asked').length;
    if (outcomes.length > 0) this.meter.record({ kind: 'tool_calls', outcomes });
    if (asked > 0) this.meter.record({ kind: 'outcomes_asked', count: asked });
  }
}

/** Durations, status and reason of a settled execution. */
function measureEnding(result: ExecutionResult): MeasuredEnding {
  const { status, created_at, started_at, finished_at } = result;
  return {
    status,
    reason: reasonOf(result),
    waitSeconds: secondsBetween(created_at, started_at),
    totalSeconds: started_at === null ? null : secondsBetween(created_at, finished_at),
  };
}

export function measureModelCalls(usage: readonly UsageRecord[]): MeasuredModelCall[] {
  return usage.map(({ purpose, state, model, tokens, costUsd }) => ({
    purpose,
    state,
    model,
    tokens,
    costUsd,
  }));
}

/**
 * Log fields of a settled execution: ids, outcome, times in milliseconds, tokens and cost; never text of users or models.
 */
function describeEnding(claim: Claim, result: ExecutionResult): object {
  const { waitSeconds, totalSeconds } = measureEnding(result);
  const { usage } = result;
  return {
    executionId: claim.executionId,
    tenantId: claim.tenantId,
    agentId: claim.agentId,
    sessionId: claim.sessionId,
    turn: claim.turnNumber,
    attempt: claim.attempt,
    status: result.status,
    reason: reasonOf(result),
    waitMs: toMs(waitSeconds),
    totalMs: toMs(totalSeconds),
    rounds: result.num_turns,
    inputTokens: usage?.input_tokens ?? null,
    outputTokens: usage?.output_tokens ?? null,
    costUsd: usage?.total_cost_usd ?? null,
  };
}

function reasonOf({ incomplete_details, error }: ExecutionResult): string | null {
  return incomplete_details?.reason ?? error?.code ?? null;
}

function secondsBetween(from: string, to: string | null): number | null {
  return to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000;
}

function toMs(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000);
}
