import type { Claim } from './claim-store.js';

/** Who keeps the lease of what is claimed, and says by `abort` when it has to stop. */
export abstract class LeaseHolder {
  /** Until the returned function is called. */
  abstract hold(claim: Claim, abort: AbortController): () => void;
  /** Whether this process may still write under the claim, as far as it knows. */
  abstract holds(claim: Pick<Claim, 'token'>): boolean;
}
