import {
  ClaimStore,
  type Claim,
  type ClaimFence,
  type ClaimOptions,
  type ClaimResult,
} from '../ports/claim-store.js';
import type { ContendedClaim, ContendedExecution } from './contended-execution.js';

const REMAINING_MS = 300_000;

/** The claims of one execution in memory, where no time passes: whatever waits for a better time is due at once. */
export class InMemoryClaims extends ClaimStore {
  constructor(private readonly execution: ContendedExecution) {
    super();
  }

  override claim(executionId: string, _options: ClaimOptions, token: string): Promise<ClaimResult> {
    const taken = this.execution.take(token);
    if (taken === null) return Promise.resolve({ kind: 'not_runnable' });
    const claim = toClaim(executionId, taken);
    return Promise.resolve({ kind: taken.isPoisoned ? 'poisoned' : 'claimed', claim });
  }

  override renew(claims: readonly ClaimFence[]): Promise<ReadonlySet<string>> {
    const kept = claims.filter((claim) => this.execution.renew(claim));
    return Promise.resolve(new Set(kept.map(({ token }) => token)));
  }

  override isCurrent(claim: ClaimFence): Promise<boolean> {
    return Promise.resolve(this.execution.isLatest(claim));
  }

  override release(claim: ClaimFence): Promise<boolean> {
    return Promise.resolve(this.execution.release(claim));
  }

  override requeueWithBackoff(claim: ClaimFence): Promise<boolean> {
    return this.release(claim);
  }

  override postpone(claim: ClaimFence): Promise<boolean> {
    return this.release(claim);
  }

  /** Nothing is isolated in memory: no claim of it is a suspect. */
  override async recordIsolatedDeath(claim: ClaimFence): Promise<'requeued' | null> {
    return (await this.release(claim)) ? 'requeued' : null;
  }
}

function toClaim(executionId: string, taken: ContendedClaim): Claim {
  const { attempt, epoch, token, isCancelled, isLate, followsLostAttempt } = taken;
  return {
    executionId,
    tenantId: 'default',
    agentId: 1,
    sessionId: 'in memory',
    turnNumber: 1,
    attempt,
    epoch,
    token,
    remainingMs: isLate ? 0 : REMAINING_MS,
    claimedAtMs: 0,
    request: { input: 'Go.', options: {}, additional_data: {} },
    isCancelled,
    isSuspect: false,
    followsLostAttempt,
  };
}
