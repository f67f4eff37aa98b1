import type { StopReason } from '#libs/agent-core';
import type { Claim } from '#libs/executions';

/** What a worker sends to the process that runs a suspect for it. */
export type ToChild =
  | { readonly kind: 'run'; readonly claim: Claim }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'drain' }
  /** Again and again: the worker lives, and the lease is ours. */
  | { readonly kind: 'lease_kept' };

/** What that process sends to the worker. */
export type ToParent =
  | { readonly kind: 'ready' }
  /** Everything is written, or released. */
  | { readonly kind: 'done' };

/** How often the worker sends a sign of life while a lease of `leaseMs` runs. */
export function leaseKeptEveryMs(leaseMs: number): number {
  return leaseMs / 9;
}

/**
 * After so long without a sign of life of the worker the attempt is given up. The worker renews its leases 4.5 times
 * each, and others may take over when one has passed.
 */
export function longestSilenceMs(leaseMs: number): number {
  return (leaseMs * 25) / 45;
}
