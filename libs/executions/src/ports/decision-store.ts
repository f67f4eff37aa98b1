import type { DecidedBy, OutcomeReport } from '#libs/agent-core';

interface Decision {
  /** Call name as in `PendingCall.call`, e.g. `1.0`. */
  readonly call: string;
  readonly reason: string;
}

/** Decision on a call that waits for approval. */
export interface ApprovalDecision extends Decision {
  readonly approved: boolean;
}

/** Decision on a call that waits for its outcome. */
export interface OutcomeDecision extends Decision {
  readonly report: OutcomeReport;
}

export type CallDecision = ApprovalDecision | OutcomeDecision;

/** Reason why all decisions were refused. */
export type DecisionRefusal =
  | { readonly kind: 'not_found' }
  /** The execution waits for no decision. */
  | { readonly kind: 'not_waiting' }
  /** These calls never waited for a decision, or are listed twice. */
  | { readonly kind: 'unknown_calls'; readonly calls: readonly string[] }
  /** These calls have an earlier decision with a different result or reason. */
  | { readonly kind: 'decided_otherwise'; readonly calls: readonly string[] }
  /** The decision's kind does not match the question of these calls. */
  | { readonly kind: 'wrong_kind'; readonly calls: readonly string[] };

export type ApprovalResult = { readonly kind: 'decided'; readonly isRunnable: boolean } | DecisionRefusal;

/** Decisions of people on waiting tool calls. */
export abstract class DecisionStore {
  /**
   * Accepts all decisions or none; repeats have no effect. The last decision requeues the execution.
   * @param by null when the time for a decision has passed
   */
  abstract decide(
    tenantId: string,
    executionId: string,
    decisions: readonly CallDecision[],
    by: DecidedBy | null,
  ): Promise<ApprovalResult>;
}
