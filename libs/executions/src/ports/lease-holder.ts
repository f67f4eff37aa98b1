import type { Claim } from './claim-store.js';

/** Renews the leases of claimed executions and aborts those that must stop. */
export abstract class LeaseHolder {
  /**
   * Renews the lease until the returned function is called.
   * @param askedAt time of the claim request, by {@link now}; default now. The lease cannot have begun before. A process
   * that was frozen since may have lost it, and must not begin the attempt
   */
  abstract hold(claim: Claim, abort: AbortController, askedAt?: number): () => void;
  /** Milliseconds of the clock that measures leases. */
  abstract now(): number;
  /** Whether this process, to its knowledge, may still write under the claim. */
  abstract holds(claim: Pick<Claim, 'token'>): boolean;
}
