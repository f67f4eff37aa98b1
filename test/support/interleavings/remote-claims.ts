import type { RunExecutionDependencies } from '#libs/executions';
import type { ContendedExecution } from '../fakes/executions/contended-execution.js';
import { InMemoryAssignments } from '../fakes/executions/in-memory-assignments.js';
import type { InMemoryClaims } from '../fakes/executions/in-memory-claims.js';
import { InMemoryExecutions } from '../fakes/executions/in-memory-executions.js';
import type { ProcessLine } from './process-line.js';

/** The claims, reached over a line. */
export function remoteClaims(claims: InMemoryClaims, line: ProcessLine): RunExecutionDependencies['claims'] {
  return {
    claim: (...call) => line.ask('claim', () => claims.claim(...call)),
    renew: (held) => line.ask('renew', () => claims.renew(held)),
    isCurrent: (claim) => line.ask('is it current', () => claims.isCurrent(claim)),
    release: (claim) => line.ask('release', () => claims.release(claim)),
    requeueWithBackoff: (claim) => line.ask('requeue', () => claims.requeueWithBackoff(claim)),
    requeueCutOff: (claim) => line.ask('requeue cut off', () => claims.requeueCutOff(claim)),
    postpone: (claim, wait) => line.ask('postpone', () => claims.postpone(claim, wait)),
    begin: (claim) => line.ask('begin', () => claims.begin(claim)),
    showWait: (claim, waiting) => line.ask('show a wait', () => claims.showWait(claim, waiting)),
    recordIsolatedDeath: (claim, max) => line.ask('death', () => claims.recordIsolatedDeath(claim, max)),
  };
}

/** The assignments, reached over a line. */
export function remoteAssignments(
  execution: ContendedExecution,
  line: ProcessLine,
): RunExecutionDependencies['assignments'] {
  const assignments = new InMemoryAssignments(InMemoryExecutions.of(execution));
  return {
    take: (assignment) => line.ask('take', () => assignments.take(assignment)),
  };
}
