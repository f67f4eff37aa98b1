import { MOST_EXECUTIONS_OF_A_JOB } from '#libs/payloads';
import type { DispatchedExecution } from '../ports/dispatch-store.js';

/**
 * So many jobs at least, where there are as many executions: more than one worker takes up some of them. A job costs more
 * than the claim of an execution does.
 */
const LEAST_JOBS = 2;

/** What one job each is to name, in the order in which they are due; no group is empty. */
export function groupForJobs(due: readonly DispatchedExecution[]): readonly [string, ...string[]][] {
  const size = Math.min(MOST_EXECUTIONS_OF_A_JOB, Math.ceil(due.length / LEAST_JOBS));
  const groups: [string, ...string[]][] = [];
  for (const [index, { executionId }] of due.entries()) {
    if (index % size === 0) groups.push([executionId]);
    else groups.at(-1)?.push(executionId);
  }
  return groups;
}
