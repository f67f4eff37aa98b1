import { ExecutionReader, type StoredRequest } from '#libs/executions';
import type { ExecutionStatus, ExecutionView } from '#libs/payloads';
import type { InMemoryExecutions } from './in-memory-executions.js';

/** Reads executions in memory. */
export class InMemoryReader extends ExecutionReader {
  constructor(private readonly store: InMemoryExecutions) {
    super();
  }

  override find(tenantId: string, id: string): Promise<ExecutionView | null> {
    return Promise.resolve(this.store.findOf(tenantId, id)?.storedView() ?? null);
  }

  override findStatuses(ids: readonly string[]): Promise<ReadonlyMap<string, ExecutionStatus>> {
    const executions = ids.flatMap((id) => this.store.find(id) ?? []);
    return Promise.resolve(
      new Map(executions.map((execution) => [execution.accepted.executionId, execution.publicStatus])),
    );
  }

  override findRequest(tenantId: string, id: string): Promise<StoredRequest | null> {
    const execution = this.store.findOf(tenantId, id);
    if (!execution) return Promise.resolve(null);
    const { agentId, sessionId, request, metadata, webhook } = execution.accepted;
    return Promise.resolve({
      agentId,
      sessionId,
      status: execution.publicStatus,
      request,
      metadata,
      webhook,
    });
  }
}
