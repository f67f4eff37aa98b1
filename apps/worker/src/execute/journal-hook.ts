import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import {
  parkExecution,
  settleExecution,
  type ApplyStagedChange,
  type Claim,
  type JournalTransactions,
} from '#libs/persistence';
import type { EntityManager } from 'typeorm';
import type { Settlement } from '#libs/agent-core';

/** Remembers what a closing transaction made of the execution, for whoever has to tell it after the commit. */
export class JournalHook implements JournalTransactions {
  /** Null until parked. */
  view: ExecutionView | null = null;
  /** Null until settled. */
  result: ExecutionResult | null = null;

  constructor(
    private readonly claim: Claim,
    private readonly applyStagedChange: ApplyStagedChange,
    private readonly approvalTimeoutMs: number,
  ) {}

  async settle(manager: EntityManager, settlement: Settlement): Promise<void> {
    this.result = await settleExecution(manager, this.claim, settlement, this.applyStagedChange);
  }

  async park(manager: EntityManager, calls: readonly PendingCall[]): Promise<void> {
    this.view = await parkExecution(manager, this.claim, calls, this.approvalTimeoutMs);
  }
}
