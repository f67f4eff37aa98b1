import type { AttemptIdentity } from '#libs/agent-core';
import type { KeptRequest, WaitingFor } from '#libs/payloads';
import type { ClaimedState } from './claimed-state.js';
import type { RetryPolicy } from './retry-policy.js';

/** Runs that a worker takes, by whether they may need an engine. */
export interface EngineRuns {
  readonly takes: 'any' | 'none' | 'only';
  /** Providers whose models an engine runs. */
  readonly providers: readonly string[];
}

export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  /** Default time from the first claim to the deadline, without `timeout_seconds` in request or agent; milliseconds. */
  readonly deadlineMs: number;
  /** Consecutive attempts lost without a new fact that make an execution a suspect. */
  readonly suspectAfterLosses: number;
  /** Crashes while running isolated that make an execution poisoned. */
  readonly maxIsolatedDeaths: number;
  /** True if the caller can isolate a suspect; otherwise suspects are not claimed. */
  readonly canIsolate: boolean;
  /** Share of all slots (0 < share ≤ 1) that a tenant may hold while a tenant with fewer slots waits. */
  readonly tenantShare: number;
  /** Runs that the caller takes; others are left until later. */
  readonly engineRuns: EngineRuns;
}

/** Fields of the accepted execution that its result shows; carried with the claim to save a read at the end. */
export interface AcceptedAs {
  /** Null when no version is pinned. */
  readonly agentVersion: number | null;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly createdAtMs: number;
  readonly metadata: Record<string, string>;
}

export interface Claim extends AttemptIdentity {
  /** Random token that identifies this claim; every write for the execution must present it. */
  readonly token: string;
  /** Milliseconds left until the deadline, by the store's clock. */
  readonly remainingMs: number;
  /**
   * Milliseconds from the start of the time limit (the first claim, or the first after a person's decision) to the
   * deadline.
   */
  readonly timeoutMs: number;
  /** Time of the claim, in milliseconds since the epoch, by the store's clock. */
  readonly claimedAtMs: number;
  /**
   * Start of the first attempt with all tools loaded, in milliseconds since the epoch by the store's clock. Null before;
   * for agents with remote tools `ClaimStore.begin` records it.
   */
  readonly startedAtMs: number | null;
  /** Latest database restore while the execution was unsettled, in milliseconds since the epoch; null for none. */
  readonly restoredAtMs: number | null;
  /** The wait that the execution still shows, if any. */
  readonly waitingFor: WaitingFor | null;
  readonly accepted: AcceptedAs;
  /** Message ids reserved for the end of the execution, ascending: system prompt, input, answer. */
  readonly messageIds: readonly [number, number, number];
  readonly request: KeptRequest;
  /** True if a cancellation was requested. */
  readonly isCancelled: boolean;
  /** True if the execution's workers keep dying, perhaps because of it: it must run isolated. */
  readonly isSuspect: boolean;
  /** True if an isolated process has crashed with it: the next process must have run nothing else before. */
  readonly needsFreshProcess: boolean;
  /** True if an earlier attempt was lost and its possible model call is not accounted for yet. */
  readonly followsLostAttempt: boolean;
}

/** Fence of every write of an attempt. */
export type ClaimFence = Pick<Claim, 'executionId' | 'token'>;

/** Wait of a queued execution. */
export interface QueuedWait extends Pick<WaitingFor, 'kind' | 'name' | 'message'> {
  /** Milliseconds until the next attempt; null for the backoff of `requeueWithBackoff`. */
  readonly delayMs: number | null;
  /**
   * Milliseconds that the attempt itself has waited. With the delay they extend the deadline by up to the agent's
   * `wait_for_tools_seconds`; null leaves the deadline unchanged.
   */
  readonly waitedMs: number | null;
}

export type ClaimResult =
  | {
      readonly kind: 'claimed';
      readonly claim: Claim;
      /** State for an attempt that begins at once; null when it must be read from the stores. */
      readonly state: ClaimedState | null;
    }
  /** Nothing to run: settled, leased by a live worker, or not the head of its session's queue. */
  | { readonly kind: 'not_runnable' }
  /** Must wait for its tenant's share or, as a suspect, for an isolation place as well; due again shortly. */
  | { readonly kind: 'not_now'; readonly isSuspect: boolean }
  /** Claimed only to be failed: it crashed isolated processes. */
  | { readonly kind: 'poisoned'; readonly claim: Claim };

/**
 * Leases: which worker may write for an execution, and until when. All methods but `claim` are fenced by the claim's
 * token, so that late or repeated calls never change a newer claim.
 */
export abstract class ClaimStore {
  /**
   * Increments attempt and epoch and takes the lease. Only the head of a session can be claimed, so a session runs one
   * execution at a time, in order (S4-3). An attempt found with an expired lease counts as lost; progress resets the
   * earlier losses. Losses only make an execution a suspect; crashes while isolated make it poisoned.
   * @param token random; its owner can release a claim after a lost response
   */
  abstract claim(executionId: string, options: ClaimOptions, token: string): Promise<ClaimResult>;

  /** Extends leases by `leaseMs`. Returns the tokens of the leases still held. */
  abstract renew(claims: readonly ClaimFence[], leaseMs: number): Promise<ReadonlySet<string>>;

  /** True while this claim is the latest, even if its lease expired. */
  abstract isCurrent(claim: ClaimFence): Promise<boolean>;

  /** Requeues as the next to run; does not count as a lost attempt. Returns whether the claim was still held. */
  abstract release(claim: ClaimFence): Promise<boolean>;

  /**
   * Requeues with a backoff that grows with the attempts since the last progress. Does not count as a lost attempt.
   * Returns whether the claim was still held.
   */
  abstract requeueWithBackoff(claim: ClaimFence): Promise<boolean>;

  /**
   * As `requeueWithBackoff`, for an attempt stopped before it wrote its outcome: the next one records its possible model
   * call (`followsLostAttempt`).
   */
  abstract requeueCutOff(claim: ClaimFence): Promise<boolean>;

  /**
   * Requeues for `delayMs` plus jitter, at most until the deadline; the execution shows the wait. Not a lost attempt, and
   * counted as an attempt only if it wrote a fact. Returns the wait; null if the claim was no longer held.
   */
  abstract postpone(claim: ClaimFence, wait: QueuedWait): Promise<WaitingFor | null>;

  /**
   * Records the start of the execution, unless it is recorded, and ends its wait for tools. Returns the start in
   * milliseconds since the epoch; null if the claim was no longer held.
   */
  abstract begin(claim: ClaimFence, retries: RetryPolicy): Promise<number | null>;

  /** Sets or clears the wait that the execution shows. Returns whether the claim was still held. */
  abstract showWait(claim: ClaimFence, waiting: WaitingFor | null): Promise<boolean>;

  /**
   * Records a crash of an isolated process. Requeues with a delay, unless the maximum is reached: then the claim stays
   * for failing the execution. Returns null if the claim was no longer held.
   */
  abstract recordIsolatedDeath(
    claim: ClaimFence,
    maxIsolatedDeaths: number,
  ): Promise<'requeued' | 'poisoned' | null>;
}
