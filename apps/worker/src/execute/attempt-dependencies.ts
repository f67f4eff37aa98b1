import type { EventSink, EventStream, Journal, ScopePlanner, ToolInvoker } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import type {
  ApplyStagedChange,
  Claim,
  ExecutionClaimStore,
  ExecutionContextStore,
  JournalTransactions,
  Patience,
} from '#libs/persistence';
import type { MessageDataSchemas, ToolCatalogue, ToolSource } from '#libs/tooling';
import type { BackgroundReleases } from './background-releases.js';
import type { ModelFactory } from './model.factory.js';

/** Who keeps the lease of what is claimed, and says by `abort` when it has to stop. */
export abstract class LeaseHolder {
  /** Until the returned function is called. */
  abstract hold(claim: Claim, abort: AbortController): () => void;
  /** Whether this process may still write under the claim, as far as it knows. */
  abstract holds(claim: Pick<Claim, 'token'>): boolean;
}

/** What the calls of one attempt run with. */
export interface InvokerParts {
  /** What the run may call. */
  readonly catalogue: ToolCatalogue;
  readonly events: EventSink;
  readonly lateOutcomes: Pick<Journal, 'recordLateOutcomes'>;
}

/** Everything that one attempt at a claimed execution touches; introduced to each other by the module. */
export interface AttemptDependencies {
  readonly claims: ExecutionClaimStore;
  readonly backgroundReleases: BackgroundReleases;
  readonly contexts: ExecutionContextStore;
  readonly leases: LeaseHolder;
  readonly tools: ToolSource;
  /** Runs the tools of one claimed execution. */
  readonly invokerOf: (claim: Claim, parts: InvokerParts) => ToolInvoker;
  /** The journal of one claimed execution; `transactions` is what its closing writes hold beside the facts. */
  readonly journalOf: (claim: Claim, transactions: JournalTransactions, patience: Patience) => Journal;
  readonly models: ModelFactory;
  /** Plans the agents that an execution calls. */
  readonly scopes: ScopePlanner;
  readonly events: EventStream;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly applyStagedChange: ApplyStagedChange;
  /** Decides what of a message's data the model reads. */
  readonly messageData: Pick<MessageDataSchemas, 'shownToModel'>;
  /** For how long what the database refuses is repeated within one attempt, in milliseconds. */
  readonly patienceMs: number;
  /** How long a person may take to decide. */
  readonly approvalTimeoutMs: number;
}
