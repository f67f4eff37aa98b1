import type { ServerResponse } from 'node:http';

const failed = new WeakSet<ServerResponse>();

/**
 * Marks a 5xx that reports a failed execution, not a server error: it gets its own `cause` in metrics, and no error log
 * line.
 */
export function noteExecutionFailed(response: ServerResponse): void {
  failed.add(response);
}

export function reportsFailedExecution(response: ServerResponse): boolean {
  return failed.has(response);
}
