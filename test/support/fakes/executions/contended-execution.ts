import {
  CANCELLED_UNSTARTED,
  evaluateCancellation,
  type CancellationResult,
  type ClaimOptions,
  type QueuedWait,
} from '#libs/executions';
import type { ExecutionView, PendingCall, WaitingFor } from '#libs/payloads';
import { InMemoryExecution, NEVER, type InMemoryClaim } from '#libs/kit-testing';

export interface ContendedClaim extends InMemoryClaim {
  readonly attempt: number;
  readonly isCancelled: boolean;
  readonly isLate: boolean;
  readonly isSuspect: boolean;
  readonly needsFreshProcess: boolean;
  readonly isPoisoned: boolean;
  readonly followsLostAttempt: boolean;
}

/** The options of a claim that decide which workers may take a suspect. */
export type IsolationRules = Pick<ClaimOptions, 'suspectAfterLosses' | 'maxIsolatedDeaths' | 'canIsolate'>;

/**
 * An execution that several workers compete for: leases, cancellation, suspects and poison follow the rules of the stores in
 * the database.
 */
export class ContendedExecution extends InMemoryExecution {
  isLeaseOver = false;
  isCancelRequested = false;
  isTimeUp = false;
  /** False until the backoff of a postponed execution is over. */
  isDue = true;
  /** True if a job was sent for the execution and no worker has claimed it yet. */
  isSent = false;
  /** The epochs of claims that were made after the request to cancel. */
  readonly epochsAfterCancel: number[] = [];
  cancelledUnstarted = 0;
  private attempt = 0;
  private lostAttempts = 0;
  private isolatedDeaths = 0;
  private lostEpoch: number | null = null;

  /** True if a worker may claim the execution now; the order of its session is not considered. */
  get isClaimable(): boolean {
    return this.isDue && (this.status === 'queued' || this.isOrphan);
  }

  /** True if it runs without a valid lease. */
  get isOrphan(): boolean {
    return this.status === 'running' && this.isLeaseOver;
  }

  /** As `ClaimStore.claim`; null if there is nothing to do; `not_now` for a suspect that the worker cannot isolate. */
  take(rules: IsolationRules, token?: string): ContendedClaim | 'not_now' | null {
    if (!this.isClaimable) return null;
    const losses = this.countLosses();
    const isPoisoned = this.isolatedDeaths >= rules.maxIsolatedDeaths;
    const isOnlyToEnd = isPoisoned || this.isCancelRequested || this.isTimeUp;
    const isSuspect = losses >= rules.suspectAfterLosses && !isOnlyToEnd;
    if (isSuspect && !rules.canIsolate) {
      this.postpone();
      return 'not_now';
    }
    if (this.isOrphan && !this.isUntaken) this.lostEpoch = this.epoch;
    this.lostAttempts = losses;
    this.attempt += 1;
    this.isLeaseOver = false;
    this.isSent = false;
    const claim = this.claim(token);
    if (this.isCancelRequested) this.epochsAfterCancel.push(claim.epoch);
    return {
      ...claim,
      attempt: this.attempt,
      isCancelled: this.isCancelRequested,
      isLate: this.isTimeUp,
      isSuspect,
      needsFreshProcess: this.isolatedDeaths > 0,
      isPoisoned,
      followsLostAttempt: this.followsLostAttempt(),
    };
  }

  /** As an accept that claims the execution for a worker. */
  assign(token: string): void {
    this.claim(token);
  }

  /** True if it was claimed as it was accepted, and its worker has not taken it. */
  private get isUntaken(): boolean {
    return this.status === 'running' && this.attempt === 0;
  }

  /** As `AssignmentStore.take`; null if it was requeued or claimed since. */
  takeAssigned(token: string): ContendedClaim | null {
    if (!this.isHeldBy({ token }) || !this.isUntaken) return null;
    this.attempt = 1;
    this.isLeaseOver = false;
    if (this.isCancelRequested) this.epochsAfterCancel.push(this.epoch);
    return {
      ...{ token, epoch: this.epoch, attempt: this.attempt },
      isCancelled: this.isCancelRequested,
      isLate: this.isTimeUp,
      ...{ isSuspect: false, needsFreshProcess: false, isPoisoned: false, followsLostAttempt: false },
    };
  }

  /** As `AssignmentStore.requeue`, of one. */
  requeue(token: string): boolean {
    const isGiven = this.isHeldBy({ token }) && this.isUntaken;
    if (isGiven) this.backIntoLine();
    return isGiven;
  }

  /** The consecutive losses: those before an attempt that made progress do not count. */
  private countLosses(): number {
    if (!this.isOrphan || this.isUntaken) return this.lostAttempts;
    const hasProgressed = this.facts.some(
      ({ epoch, entry }) => epoch === this.epoch && entry.kind !== 'model_call_lost',
    );
    return hasProgressed ? 1 : this.lostAttempts + 1;
  }

  private followsLostAttempt(): boolean {
    const { lostEpoch } = this;
    if (lostEpoch === null) return false;
    return !this.facts.some(
      ({ epoch, entry }) =>
        epoch > lostEpoch || (epoch === lostEpoch && entry.kind === 'model_call_interrupted'),
    );
  }

  renew(claim: Pick<InMemoryClaim, 'token'>): boolean {
    if (!this.isHeldBy(claim)) return false;
    this.isLeaseOver = false;
    return true;
  }

  /** Requeues the execution; false if the claim no longer holds it. */
  release(claim: Pick<InMemoryClaim, 'token'>): boolean {
    const isHeld = this.isHeldBy(claim);
    if (isHeld) this.backIntoLine();
    return isHeld;
  }

  /** Requeues the execution, due after a backoff; false if the claim no longer holds it. */
  requeueLater(claim: Pick<InMemoryClaim, 'token'>): boolean {
    const isHeld = this.release(claim);
    if (isHeld) this.postpone();
    return isHeld;
  }

  /** As `ClaimStore.postpone`. */
  wait(
    claim: Pick<InMemoryClaim, 'token'>,
    { kind, name, message }: Pick<QueuedWait, 'kind' | 'name' | 'message'>,
  ): WaitingFor | null {
    const hasWritten = this.facts.some(
      ({ epoch, entry }) => epoch === this.epoch && entry.kind !== 'model_call_lost',
    );
    if (!this.requeueLater(claim)) return null;
    if (!hasWritten) this.attempt -= 1;
    this.waitingFor = { kind, name, message, since: NEVER, next_try_at: NEVER };
    return this.waitingFor;
  }

  /** As `ClaimStore.showWait`. */
  showWait(claim: Pick<InMemoryClaim, 'token'>, waiting: WaitingFor | null): boolean {
    const isHeld = this.isHeldBy(claim);
    if (isHeld) this.waitingFor = waiting;
    return isHeld;
  }

  /** As `ClaimStore.requeueCutOff`. */
  requeueCutOff(claim: Pick<InMemoryClaim, 'token'>): boolean {
    if (this.isHeldBy(claim)) this.lostEpoch = this.epoch;
    return this.requeueLater(claim);
  }

  /** As `ClaimStore.recordIsolatedDeath`. */
  recordIsolatedDeath(
    claim: Pick<InMemoryClaim, 'token'>,
    maxIsolatedDeaths: number,
  ): 'requeued' | 'poisoned' | null {
    if (!this.isHeldBy(claim)) return null;
    this.isolatedDeaths += 1;
    this.lostEpoch = this.epoch;
    if (this.isolatedDeaths >= maxIsolatedDeaths) return 'poisoned';
    this.requeueLater(claim);
    return 'requeued';
  }

  /** Parking stops the time limit of the execution. */
  override park(calls: readonly PendingCall[]): ExecutionView {
    this.isTimeUp = false;
    this.isSent = false;
    return super.park(calls);
  }

  /** As `CancelStore.request`. */
  requestCancel(): CancellationResult {
    const kind = evaluateCancellation({ status: this.publicStatus, attempt: this.attempt });
    if (kind === 'settled_before') return { kind };
    this.isCancelRequested = true;
    if (kind === 'cancelled') {
      this.appendFacts(CANCELLED_UNSTARTED, this.epoch);
      this.status = 'settled';
      this.isSent = false;
      this.cancelledUnstarted += 1;
    } else if (this.status !== 'running') {
      this.waitingCalls = [];
      this.backIntoLine();
      this.isDue = true;
    }
    return { kind };
  }

  private backIntoLine(): void {
    this.status = 'queued';
    this.isLeaseOver = false;
    this.isSent = false;
  }

  private postpone(): void {
    this.isDue = false;
    this.isSent = false;
  }
}
