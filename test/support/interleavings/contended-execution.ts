import { InMemoryExecution } from '../fakes/in-memory-execution.js';

export interface ContendedClaim {
  readonly epoch: number;
  readonly attempt: number;
  readonly isCancelled: boolean;
  readonly isPoisoned: boolean;
}

const MAX_LOST_ATTEMPTS = 3;

/** An execution that several workers want: leases, cancellation and poison as the stores of the database rule them. */
export class ContendedExecution extends InMemoryExecution {
  isLeaseOver = false;
  isCancelRequested = false;
  /** Claims that were given when somebody had asked for the end of the execution. */
  readonly epochsAfterCancel: number[] = [];
  cancelledUnstarted = 0;
  private attempt = 0;
  private lostAttempts = 0;

  /** As `ExecutionClaimStore.claim`; null: nothing to do. */
  take(): ContendedClaim | null {
    const isOrphan = this.status === 'running' && this.isLeaseOver;
    if (this.status !== 'queued' && !isOrphan) return null;
    if (isOrphan) this.lostAttempts += 1;
    this.attempt += 1;
    this.isLeaseOver = false;
    const epoch = this.claim();
    if (this.isCancelRequested) this.epochsAfterCancel.push(epoch);
    const isPoisoned = this.lostAttempts >= MAX_LOST_ATTEMPTS;
    return { epoch, attempt: this.attempt, isCancelled: this.isCancelRequested, isPoisoned };
  }

  renew(epoch: number): boolean {
    if (!this.isHeldBy(epoch)) return false;
    this.isLeaseOver = false;
    return true;
  }

  giveBack(epoch: number): void {
    if (this.isHeldBy(epoch)) this.status = 'queued';
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
