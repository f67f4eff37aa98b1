import { assertNever } from '#libs/kernel';
import type { ExecutionView } from '#libs/payloads';
import { executionFailed } from './execution.faults.js';

/** S3's answer of an execute that was waited for (S3-20), plus the execution's id and how it ended. */
export interface ExecuteAnswer {
  readonly agent_id: number;
  readonly session_uuid: string;
  readonly result: ExecutionView['result'];
  readonly usage: ExecutionView['usage'];
  readonly execution_id: string;
  readonly status: 'completed' | 'incomplete';
  readonly incomplete_details: ExecutionView['incomplete_details'];
}

/**
 * The answer to a client that waited, or null when the execution has no result to show (yet). Throws the error of a
 * failed one (S3-31).
 */
export function toExecuteAnswer(view: ExecutionView): ExecuteAnswer | null {
  switch (view.status) {
    case 'completed':
    case 'incomplete':
      return {
        agent_id: view.agent_id,
        session_uuid: view.session_uuid,
        result: view.result,
        usage: view.usage,
        execution_id: view.id,
        status: view.status,
        incomplete_details: view.incomplete_details,
      };
    case 'failed':
      throw executionFailed(view);
    case 'queued':
    case 'running':
    case 'requires_action':
    case 'cancelled':
      return null;
    default:
      return assertNever(view.status);
  }
}
