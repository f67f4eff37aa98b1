import type { CountedLimits } from '#libs/policy';
import type { ExecutionView, ExecutionWebhook, KeptRequest } from '#libs/payloads';

export interface NewExecutionWebhook extends ExecutionWebhook {
  /** Signing secret of the tenant's webhooks, sealed; stored only if the tenant has none yet. */
  readonly firstSecretSealed: string;
}

/** Secret of a request as stored; it can be opened only for its execution and name. */
export interface SealedToken {
  readonly name: string;
  readonly sealed: string;
}

/** Version marks of the stored rows used for validation: opaque texts that change with every change of the row. */
export interface CheckedRows {
  readonly agent: string;
  /** Version mark of the agent's model configuration. */
  readonly llm: string;
  readonly tenant: string;
}

export interface Submission {
  readonly tenantId: string;
  readonly agentId: number;
  /** A new UUID version 7. */
  readonly executionId: string;
  /** The conversation to continue; null begins one under `newSessionId`. */
  readonly sessionId: string | null;
  readonly newSessionId: string;
  /** Metadata of a conversation that begins. */
  readonly sessionMetadata: Readonly<Record<string, string>>;
  readonly request: KeptRequest;
  readonly tokens: readonly SealedToken[];
  readonly webhook: NewExecutionWebhook | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
  /** Accepted only while these rows are unchanged; null skips the check. */
  readonly checkedBy: CheckedRows | null;
  /** Accepted only while fewer executions than these limits wait, also under concurrent accepts; null skips the count. */
  readonly counted?: CountedLimits | null;
}

/** Outcome of an earlier request with the same idempotency key. */
export type EarlierAcceptance =
  /** Same key and same request. */
  { readonly kind: 'replayed'; readonly executionId: string } | { readonly kind: 'key_reused' };

export type Acceptance =
  | EarlierAcceptance
  | {
      readonly kind: 'accepted';
      readonly view: ExecutionView;
      /** True if the execution counts as sent: the caller must send its job now. Otherwise the dispatch sends it. */
      readonly isDispatched: boolean;
      /** True if it is handed to a worker directly: nothing is to be sent. */
      readonly isAssigned: boolean;
    }
  /** Returned only by `acceptIfFree`. */
  | { readonly kind: 'session_busy' }
  | { readonly kind: 'session_not_found' }
  /** No row was stored, not even the idempotency key. */
  | { readonly kind: 'session_archived' }
  /** The queue limit of the tenant or of the service is reached. No row was stored. */
  | { readonly kind: 'no_room'; readonly of: 'tenant' | 'all' }
  /** A row used for validation has changed since; no row was stored. The request must be validated again. */
  | { readonly kind: 'outdated' };

/**
 * Accepts work: stores idempotency key, turn number, execution, tokens and webhook in one transaction, without the queue.
 * A flushed execution is never lost, even if the queue is. Before the flush it is visible but may still be lost,
 * so it must not be acknowledged to the client.
 */
export abstract class AcceptanceStore {
  /** Null when no earlier request has the same key. */
  abstract findEarlier(
    submission: Pick<Submission, 'tenantId' | 'idempotency'>,
  ): Promise<EarlierAcceptance | null>;
  abstract accept(submission: Submission): Promise<Acceptance>;
  /** Accepts only while no execution of the conversation is queued or running (S4-3). */
  abstract acceptIfFree(submission: Submission & { readonly sessionId: string }): Promise<Acceptance>;
  /**
   * Resolves once an accepted execution is durable. Throws if that is unknown, and `DATABASE_UNAVAILABLE` if it was lost.
   */
  abstract flush(executionId: string): Promise<void>;
}
