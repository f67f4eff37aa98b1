import { AssignmentStore, type Assignment, type ClaimResult } from '#libs/executions';
import type { InMemoryExecutions } from './in-memory-executions.js';
import { toClaim } from './in-memory-claims.js';

/** Assignments in memory, without time. */
export class InMemoryAssignments extends AssignmentStore {
  constructor(private readonly store: InMemoryExecutions) {
    super();
  }

  override take({ executionId, token }: Assignment): Promise<ClaimResult> {
    const execution = this.store.find(executionId);
    const taken = execution?.takeAssigned(token) ?? null;
    if (!execution || taken === null) return Promise.resolve({ kind: 'not_runnable' });
    return Promise.resolve({ kind: 'claimed', claim: toClaim(execution, taken), state: null });
  }

  override requeue(assignments: readonly Assignment[]): Promise<number> {
    const given = assignments.filter(({ executionId, token }) =>
      this.store.find(executionId)?.requeue(token),
    );
    return Promise.resolve(given.length);
  }
}
