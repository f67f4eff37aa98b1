import type { Settlement } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { EntityManager } from 'typeorm';
import { parkExecution } from './park-execution.js';
import { settleExecution, type ApplyStagedChange } from './settle-execution.js';

/** How an attempt releases its execution for good or for a person, inside the transaction of its last facts. */
export class ExecutionEndings {
  /** @param approvalTimeoutMs how long a person may take to decide */
  constructor(
    private readonly applyStagedChange: ApplyStagedChange,
    private readonly approvalTimeoutMs: number,
  ) {}

  /** Answers the execution as it ended. */
  settle(manager: EntityManager, claim: Claim, settlement: Settlement): Promise<ExecutionResult> {
    return settleExecution(manager, claim, settlement, this.applyStagedChange);
  }

  /** Answers the execution as it waits. */
  park(manager: EntityManager, claim: Claim, calls: readonly PendingCall[]): Promise<ExecutionView> {
    return parkExecution(manager, claim, calls, this.approvalTimeoutMs);
  }
}
