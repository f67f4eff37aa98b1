import type { Claim } from '#libs/executions';
import type { ExecutionView, PendingCall } from '#libs/payloads';
import type { StagedChange } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { applyStaged, type ApplyStagedChange } from './apply-staged.js';
import { parkExecution } from './park-execution.js';
import { NO_BIRTH_ROOM, type BirthOffer, type BirthRoom, type Births } from '../webhooks/webhook-births.js';

/** What an attempt's last transaction holds beside its facts, where it shares it with no other. */
export class ExecutionEndings {
  /**
   * @param approvalTimeoutMs how long a person may take to decide
   * @param births who sends the webhooks of these endings; nobody in particular when omitted
   * @param titleOf what a session without a title is named by an execution that completes; null, and when omitted, has that
   *   ordered
   * @param onWaiting called when ends have been committed after which something may wait to be sent
   * @param onLearning called when ends have been committed of which something is to be learnt
   */
  constructor(
    private readonly applyStagedChange: ApplyStagedChange,
    private readonly approvalTimeoutMs: number,
    readonly births: BirthRoom = NO_BIRTH_ROOM,
    readonly titleOf: (claim: Claim) => string | null = () => null,
    readonly onWaiting: () => void = () => undefined,
    readonly onLearning: () => void = () => undefined,
  ) {}

  /** What tools have prepared, in their order. Throws `StagedChangeRefusedError` where the stored data forbids one. */
  async apply(manager: EntityManager, claim: Claim, staged: readonly StagedChange[]): Promise<void> {
    for (const change of staged) await applyStaged(manager, change, claim, this.applyStagedChange);
  }

  /** Answers the execution as it waits, and what became of its webhooks. */
  park(
    manager: EntityManager,
    claim: Claim,
    calls: readonly PendingCall[],
    offer: BirthOffer | null,
  ): Promise<{ readonly view: ExecutionView; readonly births: Births }> {
    return parkExecution(manager, claim, calls, this.approvalTimeoutMs, offer);
  }
}
