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
  Patience,
} from '#libs/persistence';
import type { ToolCatalogue } from '#libs/tooling';
import type { LeaseKeeper } from './lease-keeper.js';
import type { LostClaims } from './lost-claims.js';
import type { ModelFactory } from './model.factory.js';

/** Everything that running an execution touches; introduced to each other by the module. */
export interface RunExecutionDependencies {
  readonly claims: ExecutionClaimStore;
  readonly contexts: ExecutionContextStore;
  readonly leases: LeaseKeeper;
  readonly tools: ToolCatalogue;
  /** Runs those tools for one claimed execution. */
  readonly invokerOf: (claim: Claim, witness: Pick<Journal, 'testify'>) => ToolInvoker;
  /** The journal of one claimed execution; `transactions` is what its closing writes hold beside the facts. */
  readonly journalOf: (claim: Claim, transactions: JournalTransactions, patience: Patience) => Journal;
  readonly models: ModelFactory;
  readonly events: EventStream;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Waits for a while when this process cannot begin anything just now; throws `NOT_PRESENT` when that lasts. */
  readonly claimOptions: () => ClaimOptions | Promise<ClaimOptions>;
  readonly lostClaims: Pick<LostClaims, 'giveBackLater'>;
  readonly applyStagedChange: ApplyStagedChange;
  /** How long a person may take to decide. */
  readonly approvalTimeoutMs: number;
  /** The attempt is over: the next of its session may run, webhooks may be due. */
  onEnded(): void;
}
