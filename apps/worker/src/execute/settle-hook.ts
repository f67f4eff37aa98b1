import type { ExecutionView } from '#libs/payloads';
import {
  settleExecution,
  type ApplyStagedChange,
  type Claim,
  type SettleTransaction,
} from '#libs/persistence';

/** Remembers what the settling transaction made of the execution, for whoever has to tell it after the commit. */
export class SettleHook {
  /** Null until settled. */
  view: ExecutionView | null = null;

  constructor(
    private readonly claim: Claim,
    private readonly applyStagedChange: ApplyStagedChange,
  ) {}

  readonly transaction: SettleTransaction = async (manager, settlement) => {
    this.view = await settleExecution(manager, this.claim, settlement, this.applyStagedChange);
  };
}
