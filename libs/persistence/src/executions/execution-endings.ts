import type { Claim } from '#libs/executions';
import type { ExecutionView, PendingCall } from '#libs/payloads';
import type { StagedChange } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { applyStaged, type ApplyStagedChange } from './apply-staged.js';
import { parkExecution } from './park-execution.js';
import {
  NO_INLINE_DELIVERY_ROOM,
  type InlineDeliveryOffer,
  type InlineDeliveryRoom,
  type InlineDeliveries,
} from '../webhooks/inline-deliveries.js';

/** Writes of an attempt's last transaction beside its facts, if it has its own transaction. */
export class ExecutionEndings {
  /**
   * @param approvalTimeoutMs time for a person's decision, in milliseconds
   * @param inlineDeliveries inline delivery of webhooks; default none
   * @param titleOf title of an untitled session when an execution completes; null (default) orders one
   * @param onWaiting called after commits that may have made work due for dispatch
   * @param onLearning called after commits that ordered memory extractions
   */
  constructor(
    private readonly applyStagedChange: ApplyStagedChange,
    private readonly approvalTimeoutMs: number,
    readonly inlineDeliveries: InlineDeliveryRoom = NO_INLINE_DELIVERY_ROOM,
    readonly titleOf: (claim: Claim) => string | null = () => null,
    readonly onWaiting: () => void = () => undefined,
    readonly onLearning: () => void = () => undefined,
  ) {}

  /** Applies staged changes of tools in order. Throws `StagedChangeRefusedError` if the stored data forbids one. */
  async apply(manager: EntityManager, claim: Claim, staged: readonly StagedChange[]): Promise<void> {
    for (const change of staged) await applyStaged(manager, change, claim, this.applyStagedChange);
  }

  /** Returns the parked execution and its webhook deliveries. */
  park(
    manager: EntityManager,
    claim: Claim,
    calls: readonly PendingCall[],
    offer: InlineDeliveryOffer | null,
  ): Promise<{ readonly view: ExecutionView; readonly inlineDeliveries: InlineDeliveries }> {
    return parkExecution(manager, claim, calls, this.approvalTimeoutMs, offer);
  }
}
