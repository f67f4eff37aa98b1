import { CancelStore, type CancellationResult } from '../ports/cancel-store.js';
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

  override requestForSession(tenantId: string, sessionId: string): Promise<number> {
    const session = this.store.sessions.get(sessionId);
    if (session?.tenantId !== tenantId || !session.isActive) return Promise.resolve(0);
    const results = this.store.unsettledOf(sessionId).map((execution) => execution.requestCancel());
    return Promise.resolve(results.filter(({ kind }) => kind === 'cancelled').length);
  }
}
