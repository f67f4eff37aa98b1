import { isSettled, type ExecuteRequest } from '#libs/payloads';
import type { ExecutionReader } from '../ports/execution-reader.js';

export type Repeatable =
  | {
      readonly kind: 'found';
      readonly agentId: number;
      /** It did its work: running it again does that work twice. */
      readonly isCompleted: boolean;
      /** Without tokens: they were deleted when it ended. */
      readonly request: ExecuteRequest;
      /** What tokens it came with: it cannot run without them. */
      readonly tokenNames: readonly string[];
    }
  | { readonly kind: 'not_found' }
  /** It is still to end. */
  | { readonly kind: 'not_settled' };

/** The request of a settled execution, to be submitted again as the next turn of its conversation. */
export async function findRepeatable(
  executions: Pick<ExecutionReader, 'findRequest'>,
  tenantId: string,
  executionId: string,
): Promise<Repeatable> {
  const past = await executions.findRequest(tenantId, executionId);
  if (past === null) return { kind: 'not_found' };
  if (!isSettled(past.status)) return { kind: 'not_settled' };
  const { agentId, sessionId, metadata, webhook } = past;
  const { token_names: tokenNames = [], ...request } = past.request;
  return {
    kind: 'found',
    agentId,
    isCompleted: past.status === 'completed',
    tokenNames,
    request: { ...request, session_uuid: sessionId, metadata, ...(webhook === null ? {} : { webhook }) },
  };
}
