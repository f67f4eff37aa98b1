import type {
  ExecutionResult,
  ExecutionStatus,
  ExecutionView,
  ExecutionWebhook,
  KeptRequest,
} from '#libs/payloads';

export interface StoredRequest {
  readonly agentId: number;
  readonly sessionId: string;
  readonly status: ExecutionStatus;
  readonly request: KeptRequest;
  readonly metadata: Record<string, string>;
  readonly webhook: ExecutionWebhook | null;
}

/** Ending of an execution, as its last events report it. */
export interface ExecutionEnding {
  readonly result: ExecutionResult;
  /** Null while the session has no title from this execution. */
  readonly title: string | null;
}

export abstract class ExecutionReader {
  abstract find(tenantId: string, id: string): Promise<ExecutionView | null>;
  /** Statuses of the existing ones among these executions, regardless of tenant; callers have checked access before. */
  abstract findStatuses(ids: readonly string[]): Promise<ReadonlyMap<string, ExecutionStatus>>;
  /** Stored request, for a retry. */
  abstract findRequest(tenantId: string, id: string): Promise<StoredRequest | null>;
}
