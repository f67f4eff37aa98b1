import {
  Journal,
  type JournalBatch,
  type JournalEntry,
  type ObservedOutcome,
  type Settlement,
} from '#libs/agent-core';
import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { ProcessLine } from './process-line.js';

/** A journal that its worker reaches over a line. */
export class RemoteJournal extends Journal {
  constructor(
    private readonly journal: Journal,
    private readonly line: ProcessLine,
  ) {
    super();
  }

  override read(): Promise<readonly JournalEntry[]> {
    return this.line.ask('read', () => this.journal.read());
  }

  override append(batch: JournalBatch): Promise<void> {
    return this.line.ask('append', () => this.journal.append(batch));
  }

  override park(batch: JournalBatch, calls: readonly PendingCall[]): Promise<ExecutionView> {
    return this.line.ask('park', () => this.journal.park(batch, calls));
  }

  override recordLateOutcomes(observed: readonly ObservedOutcome[]): Promise<void> {
    return this.line.ask('recordLateOutcomes', () => this.journal.recordLateOutcomes(observed));
  }

  override handOver(): Promise<void> {
    return this.line.ask('handOver', () => this.journal.handOver());
  }

  override settle(batch: JournalBatch, settlement: Settlement): Promise<ExecutionResult> {
    return this.line.ask('settle', () => this.journal.settle(batch, settlement));
  }
}
