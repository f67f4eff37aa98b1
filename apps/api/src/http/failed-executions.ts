import type { ServerResponse } from 'node:http';

const failed = new WeakSet<ServerResponse>();

/**
 * Marks a 5xx that reports the failure of an execution, not of this server: metrics count it under a `cause` of its own,
 * and its log line is no error.
 */
export function noteExecutionFailed(response: ServerResponse): void {
  failed.add(response);
}

export function reportsFailedExecution(response: ServerResponse): boolean {
  return failed.has(response);
}
