import type { ClaimFence, ClaimResult } from './claim-store.js';

/** An execution that was accepted as claimed by a worker, with the token of that claim. */
export type Assignment = ClaimFence;

/**
 * Executions that the API has claimed for a worker. Until the worker takes one, it has no attempt and a lease of a second:
 * one that never arrives is found as the executions of dead workers are, and does not count as lost.
 */
export abstract class AssignmentStore {
  /**
   * Begins the attempt and extends the lease. Answers as the claim would have; `not_runnable` if the execution was
   * requeued, or another worker has claimed it since.
   */
  abstract take(
    assignment: Assignment,
    worker: { readonly workerId: string; readonly leaseMs: number },
  ): Promise<ClaimResult>;

  /** Requeues those that were not taken, due at once. Returns how many. */
  abstract requeue(assignments: readonly Assignment[]): Promise<number>;
}
