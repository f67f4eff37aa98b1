import type { ExecuteRequest, ExecutionStatus, ExecutionView, ExecutionWebhook } from '#libs/payloads';

export interface StoredRequest {
  readonly agentId: number;
  readonly sessionId: string;
  readonly status: ExecutionStatus;
  readonly request: Omit<ExecuteRequest, 'session_uuid' | 'metadata' | 'webhook'>;
  readonly metadata: Record<string, string>;
  readonly webhook: ExecutionWebhook | null;
}

/** Reads executions of one tenant. */
export abstract class ExecutionReader {
  abstract find(tenantId: string, id: string): Promise<ExecutionView | null>;
  /** What was asked for, to ask it again. */
  abstract findRequest(tenantId: string, id: string): Promise<StoredRequest | null>;
}
