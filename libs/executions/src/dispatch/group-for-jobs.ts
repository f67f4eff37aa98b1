import { MAX_EXECUTIONS_OF_A_JOB } from '#libs/payloads';
import type { DispatchedExecution } from '../ports/dispatch-store.js';

/**
 * Minimum number of jobs for two or more executions, so that several workers share them. A job costs more than the claim
 * of an execution.
 */
const MIN_JOBS = 2;

/** Groups executions for jobs in due order; no group is empty. */
export function groupForJobs(due: readonly DispatchedExecution[]): readonly [string, ...string[]][] {
  const size = Math.min(MAX_EXECUTIONS_OF_A_JOB, Math.ceil(due.length / MIN_JOBS));
  const groups: [string, ...string[]][] = [];
  for (const [index, { executionId }] of due.entries()) {
    if (index % size === 0) groups.push([executionId]);
    else groups.at(-1)?.push(executionId);
  }
  return groups;
}
