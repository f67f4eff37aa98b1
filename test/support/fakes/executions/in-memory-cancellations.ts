import { CancelStore, type CancellationResult } from '#libs/executions';
import type { InMemoryExecutions } from './in-memory-executions.js';

/** Requests to cancel in memory. */
export class InMemoryCancellations extends CancelStore {
  constructor(private readonly store: InMemoryExecutions) {
    super();
  }

  override request(tenantId: string, executionId: string): Promise<CancellationResult> {
    const execution = this.store.findOf(tenantId, executionId);
    return Promise.resolve(execution?.requestCancel() ?? { kind: 'not_found' });
  }

  override requestBefore(tenantId: string, executionId: string): Promise<number> {
    const execution = this.store.findOf(tenantId, executionId);
    if (!execution) return Promise.resolve(0);
    const { sessionId, turnNumber } = execution.accepted;
    const earlier = this.store
      .unsettledOf(sessionId)
      .filter((other) => other.accepted.turnNumber < turnNumber);
    const results = earlier.map((other) => other.requestCancel());
    return Promise.resolve(results.filter(({ kind }) => kind === 'cancelled').length);
  }
}
