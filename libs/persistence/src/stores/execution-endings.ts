import type { Claim } from '#libs/executions';
import type { ExecutionView, PendingCall } from '#libs/payloads';
import type { StagedChange } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { applyStaged, type ApplyStagedChange } from './apply-staged.js';
import { parkExecution } from './park-execution.js';

/** What an attempt's last transaction holds beside its facts, where it shares it with no other. */
export class ExecutionEndings {
  /** @param approvalTimeoutMs how long a person may take to decide */
  constructor(
    private readonly applyStagedChange: ApplyStagedChange,
    private readonly approvalTimeoutMs: number,
  ) {}

  /** What tools have prepared, in their order. Throws `StagedChangeRefusedError` where the stored data forbids one. */
  async apply(manager: EntityManager, claim: Claim, staged: readonly StagedChange[]): Promise<void> {
    for (const change of staged) await applyStaged(manager, change, claim, this.applyStagedChange);
  }

  /** Answers the execution as it waits. */
  park(manager: EntityManager, claim: Claim, calls: readonly PendingCall[]): Promise<ExecutionView> {
    return parkExecution(manager, claim, calls, this.approvalTimeoutMs);
  }
}
