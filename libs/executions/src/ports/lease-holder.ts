import type { Claim } from './claim-store.js';

/** Who keeps the lease of what is claimed, and says by `abort` when it has to stop. */
export abstract class LeaseHolder {
  /**
   * Until the returned function is called.
   *
   * @param askedAt when the claim was asked for, by {@link now}: the lease cannot have begun before. A process that was
   *   frozen since may have been overtaken, and must not begin anything. Now, when left out
   */
  abstract hold(claim: Claim, abort: AbortController, askedAt?: number): () => void;
  /** Milliseconds of the clock that leases are measured by. */
  abstract now(): number;
  /** Whether this process may still write under the claim, as far as it knows. */
  abstract holds(claim: Pick<Claim, 'token'>): boolean;
}
