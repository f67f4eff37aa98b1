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

/** How an execution ended, as its last events report it. */
export interface ExecutionEnding {
  readonly result: ExecutionResult;
  /** Null where its session is not named after it, or not yet. */
  readonly title: string | null;
}

/** Reads executions of one tenant. */
export abstract class ExecutionReader {
  abstract find(tenantId: string, id: string): Promise<ExecutionView | null>;
  /** Of those of them that exist, whatever their tenant: of executions that somebody was shown already. */
  abstract findStatuses(ids: readonly string[]): Promise<ReadonlyMap<string, ExecutionStatus>>;
  /** What was asked for, to ask it again. */
  abstract findRequest(tenantId: string, id: string): Promise<StoredRequest | null>;
}
