import type { CountedLimits } from '#libs/policy';
import type { ExecutionView, ExecutionWebhook, KeptRequest } from '#libs/payloads';

export interface NewExecutionWebhook extends ExecutionWebhook {
  /** Becomes what signs the tenant's webhooks, sealed, unless there is such a secret. */
  readonly firstSecretSealed: string;
}

/** A secret of a request as it is stored: it opens nowhere but in its execution, under its name. */
export interface SealedToken {
  readonly name: string;
  readonly sealed: string;
}

/** The stored rows that a request was judged by: opaque texts, which are others after every change of the row. */
export interface JudgedRows {
  readonly agent: string;
  /** The model configuration of the agent. */
  readonly llm: string;
  readonly tenant: string;
}

export interface Submission {
  readonly tenantId: string;
  readonly agentId: number;
  /** A fresh UUID version 7. */
  readonly executionId: string;
  /** The conversation to continue, or null to begin one under `newSessionId`. */
  readonly sessionId: string | null;
  readonly newSessionId: string;
  readonly request: KeptRequest;
  readonly tokens: readonly SealedToken[];
  readonly webhook: NewExecutionWebhook | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
  /** It is accepted only as long as these rows are what they were; null: whatever they are now. */
  readonly judgedBy: JudgedRows | null;
  /** It is accepted only while fewer executions than these wait, however many are accepted at once; null: uncounted. */
  readonly counted?: CountedLimits | null;
}

/** What became of a request that came before under the same idempotency key. */
export type EarlierAcceptance =
  /** The same key and the same request came before. */
  { readonly kind: 'replayed'; readonly executionId: string } | { readonly kind: 'key_reused' };

export type Acceptance =
  | EarlierAcceptance
  | {
      readonly kind: 'accepted';
      readonly view: ExecutionView;
      /** It counts as sent already: whoever has accepted it sends its job now. Else it waits for the dispatch. */
      readonly isDispatched: boolean;
    }
  /** Asked for only by `acceptIfFree`. */
  | { readonly kind: 'session_busy' }
  | { readonly kind: 'session_not_found' }
  /** Nothing was stored, the idempotency key not either. */
  | { readonly kind: 'session_archived' }
  /** As many wait as may, of the tenant or of all. Nothing was stored. */
  | { readonly kind: 'no_room'; readonly of: 'tenant' | 'all' }
  /** What it was judged by has changed since, and nothing was stored: it is to be judged again. */
  | { readonly kind: 'outdated' };

/**
 * Accepts work: idempotency key, turn number, execution, its tokens and its webhook together or not at all. No queue is on
 * this path: what was accepted here and flushed is never lost, whatever happens to the queue. Before the flush everybody
 * sees it, and it can still be lost: nobody is promised anything of it until then.
 */
export abstract class IntakeStore {
  /** Null when no request came before under the same key. */
  abstract findEarlier(
    submission: Pick<Submission, 'tenantId' | 'idempotency'>,
  ): Promise<EarlierAcceptance | null>;
  abstract accept(submission: Submission): Promise<Acceptance>;
  /** Accepts only while nothing of the conversation waits or runs (S4-3). */
  abstract acceptIfFree(submission: Submission & { readonly sessionId: string }): Promise<Acceptance>;
  /**
   * Resolves when an execution that was accepted before can no longer be lost. Throws where that is not known, and
   * `DATABASE_UNAVAILABLE` where it has been lost.
   */
  abstract flush(executionId: string): Promise<void>;
}
