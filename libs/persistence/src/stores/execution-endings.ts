import type { Settlement } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { EntityManager } from 'typeorm';
import { parkExecution } from './park-execution.js';
import { settleExecution, type ApplyStagedChange } from './settle-execution.js';
import { NO_BIRTH_ROOM, type BirthRoom, type OpenOffer } from './webhook-births.js';

/** How an attempt releases its execution for good or for a person, inside the transaction of its last facts. */
export class ExecutionEndings {
  /**
   * @param approvalTimeoutMs how long a person may take to decide
   * @param births who sends the webhooks of these endings; nobody in particular when omitted
   */
  constructor(
    private readonly applyStagedChange: ApplyStagedChange,
    private readonly approvalTimeoutMs: number,
    readonly births: BirthRoom = NO_BIRTH_ROOM,
  ) {}

  /** Answers the execution as it ended. */
  settle(
    manager: EntityManager,
    claim: Claim,
    settlement: Settlement,
    birth: OpenOffer,
  ): Promise<ExecutionResult> {
    return settleExecution(manager, claim, settlement, this.applyStagedChange, birth);
  }

  /** Answers the execution as it waits. */
  park(
    manager: EntityManager,
    claim: Claim,
    calls: readonly PendingCall[],
    birth: OpenOffer,
  ): Promise<ExecutionView> {
    return parkExecution(manager, claim, calls, this.approvalTimeoutMs, birth);
  }
}
