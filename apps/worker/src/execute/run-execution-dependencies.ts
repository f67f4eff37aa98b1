import type { EventStream, Journal, ToolInvoker } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type {
  ApplyStagedChange,
  Claim,
  ClaimOptions,
  ExecutionClaimStore,
  ExecutionContextStore,
  JournalTransactions,
} from '#libs/persistence';
import type { ToolCatalogue } from '#libs/tooling';
import type { LeaseKeeper } from './lease-keeper.js';
import type { ModelFactory } from './model.factory.js';

/** Everything that running an execution touches; introduced to each other by the module. */
export interface RunExecutionDependencies {
  readonly claims: ExecutionClaimStore;
  readonly contexts: ExecutionContextStore;
  readonly leases: LeaseKeeper;
  readonly tools: ToolCatalogue;
  /** Runs those tools for one claimed execution. */
  readonly invokerOf: (claim: Claim) => ToolInvoker;
  /** The journal of one claimed execution; `transactions` is what its closing writes hold beside the facts. */
  readonly journalOf: (claim: Claim, transactions: JournalTransactions) => Journal;
  readonly models: ModelFactory;
  readonly events: EventStream;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claimOptions: () => ClaimOptions;
  readonly applyStagedChange: ApplyStagedChange;
  /** How long a person may take to decide. */
  readonly approvalTimeoutMs: number;
  /** The attempt is over: the next of its session may run, webhooks may be due. */
  onEnded(): void;
}
