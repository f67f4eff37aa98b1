import { InMemoryExecution, type InMemoryClaim } from './in-memory-execution.js';

export interface ContendedClaim extends InMemoryClaim {
  readonly attempt: number;
  readonly isCancelled: boolean;
  readonly isLate: boolean;
  readonly isPoisoned: boolean;
  readonly followsLostAttempt: boolean;
}

const MAX_LOST_ATTEMPTS = 3;

/** An execution that several workers want: leases, cancellation and poison as the stores of the database rule them. */
export class ContendedExecution extends InMemoryExecution {
  isLeaseOver = false;
  isCancelRequested = false;
  isTimeUp = false;
  /** Claims that were given when somebody had asked for the end of the execution. */
  readonly epochsAfterCancel: number[] = [];
  cancelledUnstarted = 0;
  private attempt = 0;
  private lostAttempts = 0;
  private lostEpoch: number | null = null;

  /** As `ExecutionClaimStore.claim`; null: nothing to do. */
  take(token?: string): ContendedClaim | null {
    const isOrphan = this.status === 'running' && this.isLeaseOver;
    if (this.status !== 'queued' && !isOrphan) return null;
    if (isOrphan) {
      this.lostAttempts += 1;
      this.lostEpoch = this.epoch;
    }
    this.attempt += 1;
    this.isLeaseOver = false;
    const claim = this.claim(token);
    if (this.isCancelRequested) this.epochsAfterCancel.push(claim.epoch);
    const isPoisoned = this.lostAttempts >= MAX_LOST_ATTEMPTS;
    return {
      ...claim,
      attempt: this.attempt,
      isCancelled: this.isCancelRequested,
      isLate: this.isTimeUp,
      isPoisoned,
      followsLostAttempt: this.followsLostAttempt(),
    };
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

  /** Answers whether it was still held by the claim. */
  release(claim: Pick<InMemoryClaim, 'token'>): boolean {
    const isHeld = this.isHeldBy(claim);
    if (isHeld) this.status = 'queued';
    return isHeld;
  }

  /** As `CancellationStore.request`. */
  requestCancel(): void {
    if (this.status === 'settled') return;
    if (this.status === 'queued' && this.attempt === 0) {
      const facts = [
        { kind: 'cancellation_requested' },
        { kind: 'execution_settled', outcome: { status: 'cancelled' } },
      ] as const;
      this.facts.push(...facts.map((entry) => ({ epoch: this.epoch, entry })));
      this.status = 'settled';
      this.cancelledUnstarted += 1;
    }
    this.isCancelRequested = true;
  }
}
