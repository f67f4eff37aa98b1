import type { DecidedBy, OutcomeReport } from '#libs/agent-core';

interface Decision {
  /** As `PendingCall.call` names it, e.g. `1.0`. */
  readonly call: string;
  readonly reason: string;
}

/** Over a call that asks for approval. */
export interface ApprovalDecision extends Decision {
  readonly approved: boolean;
}

/** Over a call that asks for its outcome. */
export interface OutcomeDecision extends Decision {
  readonly report: OutcomeReport;
}

export type CallDecision = ApprovalDecision | OutcomeDecision;

/** Why decisions were not taken; then none of them was. */
export type DecisionRefusal =
  | { readonly kind: 'not_found' }
  /** The execution waits for nothing. */
  | { readonly kind: 'not_waiting' }
  /** These calls never waited for a decision, or were named twice. */
  | { readonly kind: 'unknown_calls'; readonly calls: readonly string[] }
  /** These calls were decided before, otherwise or for another reason. */
  | { readonly kind: 'decided_otherwise'; readonly calls: readonly string[] }
  /** These calls ask for something else than what was decided. */
  | { readonly kind: 'wrong_kind'; readonly calls: readonly string[] };

export type ApprovalResult = { readonly kind: 'decided'; readonly isRunnable: boolean } | DecisionRefusal;

/** Tool calls that wait for a person's decision. */
export abstract class DecisionStore {
  /**
   * All decisions or none; those that were taken before change nothing. When no call waits any more, the execution goes back
   * into the line.
   *
   * @param by null where the time for a decision is over
   */
  abstract decide(
    tenantId: string,
    executionId: string,
    decisions: readonly CallDecision[],
    by: DecidedBy | null,
  ): Promise<ApprovalResult>;
}
