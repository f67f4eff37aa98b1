import type { StopReason } from '#libs/agent-core';
import type { Claim, IsolationEnding, Measurement } from '#libs/executions';

/** Messages from a worker to a process that runs its suspects, one at a time. */
export type ToChild =
  | { readonly kind: 'run'; readonly claim: Claim }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'drain' }
  /** Sent periodically while the worker lives and holds the lease. */
  | { readonly kind: 'lease_kept' };

/** Messages from that process to the worker. */
export type ToParent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'measured'; readonly measurement: Measurement }
  /** All writes are done, or the claim is released. Without `mayRunMore` the process ends; with it, it waits. */
  | { readonly kind: 'done'; readonly mayRunMore: boolean };

/** Interval of `lease_kept` in milliseconds for a lease of `leaseMs`. */
export function leaseKeptEveryMs(leaseMs: number): number {
  return leaseMs / 9;
}

/**
 * Maximum silence of the worker in milliseconds before the attempt is aborted. The worker renews each lease 4.5 times;
 * other workers may claim the execution once the lease has expired.
 */
export function longestSilenceMs(leaseMs: number): number {
  return (leaseMs * 25) / 45;
}

/**
 * Signals that stop whole process groups from outside, e.g. a deployment or a terminal. A process with a suspect ignores
 * them.
 */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** End of a process with a suspect, as its worker observed it. */
export interface ChildEnding {
  /** True if it reported that all writes are done. */
  readonly isDone: boolean;
  /** True if it had received the claim. */
  readonly hasBegun: boolean;
  /** True if its worker had lost the lease. */
  readonly wasStopped: boolean;
  /** True if its worker was draining. */
  readonly isDraining: boolean;
  /** Null if it exited by itself. */
  readonly signal: NodeJS.Signals | null;
}

/** Classifies the end. Only an end without any outside cause is evidence against the execution. */
export function endingOf({ isDone, hasBegun, wasStopped, isDraining, signal }: ChildEnding): IsolationEnding {
  if (isDone) return 'done';
  if (!hasBegun) return wasStopped || isDraining ? 'broke_off' : 'not_started';
  if (wasStopped || STOP_SIGNALS.some((stop) => stop === signal)) return 'cut_off';
  // A supervisor finally kills the rest of a draining worker's process group.
  if (isDraining && signal === 'SIGKILL') return 'cut_off';
  return 'died';
}
