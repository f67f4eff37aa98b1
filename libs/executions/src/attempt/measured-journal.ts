import {
  Journal,
  type JournalBatch,
  type JournalEntry,
  type ObservedOutcome,
  type Settlement,
} from '#libs/agent-core';
import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { Claim } from '../ports/claim-store.js';
import type { ExecutionMeter } from '../ports/execution-meter.js';
import type { RunLog } from '../ports/run-log.js';
import { describeEnding, measureEnding, measureModelCalls } from './measure-ending.js';

/** Records metrics for each write once it is committed, and logs the settlement. */
export class MeasuredJournal extends Journal {
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

  override async append(batch: JournalBatch): Promise<void> {
    await this.journal.append(batch);
    this.count(batch);
  }

  override async park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView> {
    const view = await this.journal.park(batch, calls);
    this.count(batch);
    return view;
  }

  override async settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult> {
    const result = await this.journal.settle(batch, settlement);
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

  private count({ entries }: JournalBatch): void {
    const outcomes = entries.flatMap((entry) =>
      entry.kind === 'tool_call_settled' ? [entry.outcome.status] : [],
    );
    const asked = entries.filter(({ kind }) => kind === 'outcome_asked').length;
    if (outcomes.length > 0) this.meter.record({ kind: 'tool_calls', outcomes });
    if (asked > 0) this.meter.record({ kind: 'outcomes_asked', count: asked });
  }
}
