import type { StopReason } from '#libs/agent-core';
import type { Claim, IsolationEnding, Measurement } from '#libs/executions';

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
  | { readonly kind: 'measured'; readonly measurement: Measurement }
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

/** What ends whole groups of processes from outside: a deploy, a terminal. A process with a suspect ignores it. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** How a process with a suspect ended, as its worker saw it. */
export interface ChildEnding {
  /** It said that everything is written. */
  readonly isDone: boolean;
  /** It had received the claim. */
  readonly hasBegun: boolean;
  /** Its worker had lost the lease. */
  readonly wasStopped: boolean;
  /** Its worker had been asked to stop. */
  readonly isDraining: boolean;
  /** Null when it ended by itself. */
  readonly signal: NodeJS.Signals | null;
}

/** Evidence against the execution is only an end for which nobody else can be the reason. */
export function endingOf({ isDone, hasBegun, wasStopped, isDraining, signal }: ChildEnding): IsolationEnding {
  if (isDone) return 'done';
  if (!hasBegun) return wasStopped || isDraining ? 'broke_off' : 'not_started';
  if (wasStopped || STOP_SIGNALS.some((stop) => stop === signal)) return 'cut_off';
  // Whoever stops a worker kills in the end what is left of its group.
  if (isDraining && signal === 'SIGKILL') return 'cut_off';
  return 'died';
}
