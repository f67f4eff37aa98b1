import { isSettled, type ExecuteRequest } from '#libs/payloads';
import type { ExecutionReader } from '../ports/execution-reader.js';

export type Repeatable =
  | {
      readonly kind: 'found';
      readonly agentId: number;
      /** True if the execution completed: a retry repeats its work. */
      readonly isCompleted: boolean;
      /** Without tokens, which were deleted at the end of the execution. */
      readonly request: ExecuteRequest;
      /** Names of the tokens of the original request; a retry must supply them again. */
      readonly tokenNames: readonly string[];
    }
  | { readonly kind: 'not_found' }
  /** The execution has not settled yet. */
  | { readonly kind: 'not_settled' };

/** Finds the request of a settled execution, to submit it again as the next turn of its conversation. */
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
