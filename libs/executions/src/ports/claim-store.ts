import type { AttemptIdentity } from '#libs/agent-core';
import type { KeptRequest, WaitingFor } from '#libs/payloads';
import type { ClaimedState } from './claimed-state.js';
import type { Patience } from './patience.js';

export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  /** From the first claim to the latest end, where neither request nor agent says (`timeout_seconds`). */
  readonly deadlineMs: number;
  /** So many attempts in a row that ended without an outcome and without a new fact make an execution a suspect. */
  readonly suspectAfterLosses: number;
  /** So many deaths in isolation make it poisoned. */
  readonly maxIsolatedDeaths: number;
  /** Whether the caller can isolate a suspect; one that it cannot isolate is not given to it. */
  readonly canIsolate: boolean;
  /** How much of all places, 0 < share ≤ 1, a tenant may hold while another one waits that holds less. */
  readonly tenantShare: number;
}

/** What an execution was accepted as, as far as its end shows it: whoever ends it need not read it again. */
export interface AcceptedAs {
  /** Null where nothing pins it. */
  readonly agentVersion: number | null;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly createdAtMs: number;
  readonly metadata: Record<string, string>;
}

export interface Claim extends AttemptIdentity {
  /** Random: names this claim and no other. Whoever writes for the execution has to show it. */
  readonly token: string;
  /** Milliseconds left until the deadline, by the store's clock. */
  readonly remainingMs: number;
  /** Milliseconds from where its time began, at the first claim or the first one after a person's decision, to there. */
  readonly timeoutMs: number;
  /** When it was claimed, in milliseconds since the epoch, by the store's clock. */
  readonly claimedAtMs: number;
  /**
   * When its first attempt began that had all of its tools, in the same terms. Null before, where tools are to be fetched
   * from servers: `ClaimStore.begin` notes it.
   */
  readonly startedAtMs: number | null;
  /** The latest restore of the database that found it unsettled, in the same terms; null: none. */
  readonly restoredAtMs: number | null;
  /** The wait that it was last shown in, where that is still shown. */
  readonly waitingFor: WaitingFor | null;
  readonly accepted: AcceptedAs;
  /** Drawn for the messages that it may end with, ascending: system prompt, input, answer. Nobody else is given them. */
  readonly messageIds: readonly [number, number, number];
  readonly request: KeptRequest;
  /** Somebody wants it to end. */
  readonly isCancelled: boolean;
  /** Its workers keep ending without an outcome, perhaps because of it: to be run where it can harm nothing else. */
  readonly isSuspect: boolean;
  /** An attempt before it was lost, and nobody has recorded since what it may have asked of a model. */
  readonly followsLostAttempt: boolean;
}

/** What every write of an attempt is fenced by. */
export type ClaimFence = Pick<Claim, 'executionId' | 'token'>;

/** A wait without a worker. */
export interface QueuedWait extends Pick<WaitingFor, 'kind' | 'name' | 'message'> {
  /** Null: it grows with the claims since the execution last got further, as of `requeueWithBackoff`. */
  readonly delayMs: number | null;
  /**
   * Milliseconds that the attempt itself has waited. They and the delay prolong the time of an execution whose agent says
   * `wait_for_tools_seconds`, as far as that goes; null: its time goes on.
   */
  readonly waitedMs: number | null;
}

export type ClaimResult =
  | {
      readonly kind: 'claimed';
      readonly claim: Claim;
      /** For who begins the attempt now; null where the stores have to be asked. */
      readonly state: ClaimedState | null;
    }
  /** Nothing to do now: settled, held by a living worker, or not the head of its session's line. */
  | { readonly kind: 'not_runnable' }
  /** It has to wait, for its tenant's share or for room to isolate it; due again in a moment. */
  | { readonly kind: 'not_now' }
  /** Taken, but only to be ended: it killed processes that held nothing else. */
  | { readonly kind: 'poisoned'; readonly claim: Claim };

/**
 * Leases: who may write for an execution, and for how long. Everything but `claim` is fenced by the claim's token, so
 * that it may come late and more than once: it changes nothing of what somebody else holds by then.
 */
export abstract class ClaimStore {
  /**
   * Raises attempt and epoch and takes the lease. Only the head of a session can be claimed, so one session runs one
   * execution at a time and in order (S4-3). An attempt that is found with an expired lease is lost; those before it
   * are forgiven when it got anywhere. Losses make an execution a suspect, never more: only what it does to a process
   * that holds nothing else is held against it.
   *
   * @param token random; whoever gives it can release a claim of which no answer came
   */
  abstract claim(executionId: string, options: ClaimOptions, token: string): Promise<ClaimResult>;

  /** Renews leases for another `leaseMs`. Answers the tokens of those that are still ours. */
  abstract renew(claims: readonly ClaimFence[], leaseMs: number): Promise<ReadonlySet<string>>;

  /** Whether nobody has claimed it since, however it stands with the lease. */
  abstract isCurrent(claim: ClaimFence): Promise<boolean>;

  /** Back into the line, as the next one to run; not counted as a lost attempt. Answers whether it was still ours. */
  abstract release(claim: ClaimFence): Promise<boolean>;

  /**
   * Back into the line for a better time, or for somebody who can do more with it: due again after a delay that grows
   * with the attempts since the last one that got further. Not counted as a lost attempt. Answers whether it was still
   * ours.
   */
  abstract requeueWithBackoff(claim: ClaimFence): Promise<boolean>;

  /**
   * As `requeueWithBackoff`, for an attempt that somebody stopped before it could write what it was about: the next
   * one records what
   * it may have asked of a model (`followsLostAttempt`).
   */
  abstract requeueCutOff(claim: ClaimFence): Promise<boolean>;

  /**
   * Back into the line until `delayMs` have passed, and a little longer, so that not all come back at once; never longer
   * than until its deadline. Not counted as a lost attempt, nor, unless it has written a fact, as an attempt. The execution
   * shows what it waits for. Answers the wait; null where it was not ours any more.
   */
  abstract postpone(claim: ClaimFence, wait: QueuedWait): Promise<WaitingFor | null>;

  /**
   * The attempt has what it needs: the execution has started, unless it had before, and waits for no tools any more. Answers
   * when it started, in milliseconds since the epoch; null where it was not ours any more.
   */
  abstract begin(claim: ClaimFence, patience: Patience): Promise<number | null>;

  /** Shows, or shows no longer, what the attempt waits for. Answers whether it was still ours. */
  abstract showWait(claim: ClaimFence, waiting: WaitingFor | null): Promise<boolean>;

  /**
   * A process that held nothing else died of it: evidence. Goes back into the line, due after a delay, unless that is
   * enough: then it stays claimed, to be ended. Answers null when it was not ours any more.
   */
  abstract recordIsolatedDeath(
    claim: ClaimFence,
    maxIsolatedDeaths: number,
  ): Promise<'requeued' | 'poisoned' | null>;
}
