import { StagedChangeRefusedError } from '#libs/agent-core';
import type { Claim } from '#libs/executions';
import { isError } from '#libs/kernel';
import type { ExecutionView, PendingCall } from '#libs/payloads';
import { type StagedChange, UnreadableStagedChangeError } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import {
  type InlineDeliveries,
  type InlineDeliveryOffer,
  type InlineDeliveryRoom,
  NO_INLINE_DELIVERY_ROOM,
} from '../webhooks/inline-deliveries.js';
import { parkExecution } from './park-execution.js';

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

/** Applies a staged change of the domain; called inside the settling transaction. */
export type ApplyStagedChange = (manager: EntityManager, change: StagedChange, claim: Claim) => Promise<void>;

/** Data refused by the database fails this run; it is no failure of the transaction. */
async function applyStaged(
  manager: EntityManager,
  change: StagedChange,
  claim: Claim,
  apply: ApplyStagedChange,
): Promise<void> {
  try {
    await apply(manager, change, claim);
  } catch (error) {
    throw isRefusedData(error) ? new StagedChangeRefusedError(change.kind, error) : error;
  }
}

/** SQLSTATE classes of refused data: data exception, integrity constraint, and `RAISE` in a trigger. */
const REFUSED_DATA = /^(22|23|P0001)/;

function isRefusedData(error: unknown): boolean {
  if (error instanceof UnreadableStagedChangeError) return true;
  return isError(error) && 'code' in error && REFUSED_DATA.test(String(error.code));
}
