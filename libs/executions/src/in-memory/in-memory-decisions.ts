import { judgeDecisions } from '../decide/judge-decisions.js';
import { DecisionStore, type ApprovalResult, type CallDecision } from '../ports/decision-store.js';
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
  ): Promise<ApprovalResult> {
    return Promise.resolve(this.record(tenantId, executionId, decisions));
  }

  private record(tenantId: string, executionId: string, decisions: readonly CallDecision[]): ApprovalResult {
    const execution = this.store.findOf(tenantId, executionId);
    if (!execution) return { kind: 'not_found' };
    if (execution.status !== 'requires_action') return { kind: 'not_waiting' };
    const { waitingCalls } = execution;
    const verdict = judgeDecisions(waitingCalls, decisions);
    if (verdict.kind !== 'taken') return verdict;
    const left = waitingCalls.filter((waiting) => verdict.left.includes(waiting));
    execution.decide(verdict.facts, left);
    return { kind: 'decided', isRunnable: left.length === 0 };
  }
}
