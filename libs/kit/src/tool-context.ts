import type { Database } from './domain/database.js';
import type { DomainSecrets } from './domain/secrets.js';

/** Person that the agent acts for, as the request named them. */
export interface Executor {
  readonly user_id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly employee_id?: string | undefined;
}

/** Progress of a call, shown live to followers of the execution; the model never reads it. */
export interface Progress {
  /** Text for people; its first 500 characters are shown. */
  readonly message?: string;
  /** Completed amount, in a unit of the tool's choice. */
  readonly done?: number;
  /** Total amount in the same unit. */
  readonly total?: number;
}

/** Facts and facilities of one tool call. */
export interface ToolContext {
  /** Equal for all attempts at this call and unique to it: pass it on as the idempotency key of a request. */
  readonly idempotencyKey: string;
  /** Aborted when the call reaches its time limit, or its execution is cancelled or stopped. */
  readonly signal: AbortSignal;
  readonly tenantId: string;
  readonly executionId: string;
  readonly sessionId: string;
  /** Null if the request named no executor. */
  readonly executor: Executor | null;
  /**
   * `fetch` that reaches no internal address unless the operator allows it, and follows no redirects. Use it for addresses
   * that tenants or models choose. `wasNeverSent` judges what it throws.
   */
  readonly fetch: typeof fetch;
  /**
   * The database of the service, for tools that read; a change belongs to `stage`. Not in the transaction that settles the
   * execution.
   */
  readonly database: Database;
  /** Encrypted secrets of tenants, which routes of the domain store. */
  readonly secrets: Pick<DomainSecrets, 'read'>;
  /**
   * Stages a change of the tool's domain, which is applied when the execution settles as `completed` or `incomplete`.
   * @param kind one of `stagedChanges` of the domain
   */
  readonly stage: (kind: string, data: Readonly<Record<string, unknown>>) => void;
  /** Adds data to the next answer, by keys of `messageData.stored` of the tool's domain. */
  readonly bake: (data: Readonly<Record<string, unknown>>) => void;
  /** Reports progress; at most 100 reports per call are shown. Never throws. */
  progress(progress: Progress): void;
}
