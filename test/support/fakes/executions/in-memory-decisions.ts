import { DecisionStore, evaluateDecisions, type ApprovalResult, type CallDecision } from '#libs/executions';
import { isDecision, type DecidedBy } from '#libs/agent-core';
import { NEVER } from '#libs/kit-testing';
import type { InMemoryExecutions } from './in-memory-executions.js';

/** Decisions of people in memory. */
export class InMemoryDecisions extends DecisionStore {
  constructor(private readonly store: InMemoryExecutions) {
    super();
  }

  override decide(
    tenantId: string,
    executionId: string,
    decisions: readonly CallDecision[],
    by: DecidedBy | null,
  ): Promise<ApprovalResult> {
    return Promise.resolve(this.record(tenantId, executionId, decisions, by));
  }

  private record(
    tenantId: string,
    executionId: string,
    decisions: readonly CallDecision[],
    by: DecidedBy | null,
  ): ApprovalResult {
    const execution = this.store.findOf(tenantId, executionId);
    if (!execution) return { kind: 'not_found' };
    const { waitingCalls } = execution;
    const isWaiting = execution.status === 'requires_action';
    const taken = execution.facts.map(({ entry }) => entry).filter(isDecision);
    const origin = { decidedAt: Date.parse(NEVER), ...(by !== null && { by }) };
    const verdict = evaluateDecisions({ waiting: isWaiting ? waitingCalls : null, taken }, decisions, origin);
    if (verdict.kind !== 'taken') return verdict;
    const left = waitingCalls.filter((waiting) => verdict.left.includes(waiting));
    if (verdict.facts.length > 0) execution.decide(verdict.facts, left);
    return { kind: 'decided', isRunnable: left.length === 0 };
  }
}
