import {
  ClaimStore,
  type Claim,
  type ClaimFence,
  type ClaimOptions,
  type ClaimResult,
  type QueuedWait,
} from '#libs/executions';
import type { WaitingFor } from '#libs/payloads';
import type { ContendedClaim, ContendedExecution } from './contended-execution.js';
import type { InMemoryExecutions } from './in-memory-executions.js';

const REMAINING_MS = 300_000;

/** Claims in memory, without time, and with a free slot for every execution. */
export class InMemoryClaims extends ClaimStore {
  constructor(private readonly store: InMemoryExecutions) {
    super();
  }

  override claim(executionId: string, options: ClaimOptions, token: string): Promise<ClaimResult> {
    return Promise.resolve(this.take(executionId, options, token));
  }

  override renew(claims: readonly ClaimFence[]): Promise<ReadonlySet<string>> {
    const kept = claims.filter((claim) => this.store.find(claim.executionId)?.renew(claim));
    return Promise.resolve(new Set(kept.map(({ token }) => token)));
  }

  override isCurrent(claim: ClaimFence): Promise<boolean> {
    return Promise.resolve(this.store.find(claim.executionId)?.isLatest(claim) ?? false);
  }

  override release(claim: ClaimFence): Promise<boolean> {
    return Promise.resolve(this.store.find(claim.executionId)?.release(claim) ?? false);
  }

  override requeueWithBackoff(claim: ClaimFence): Promise<boolean> {
    return Promise.resolve(this.store.find(claim.executionId)?.requeueLater(claim) ?? false);
  }

  override requeueCutOff(claim: ClaimFence): Promise<boolean> {
    return Promise.resolve(this.store.find(claim.executionId)?.requeueCutOff(claim) ?? false);
  }

  override postpone(claim: ClaimFence, wait: QueuedWait): Promise<WaitingFor | null> {
    return Promise.resolve(this.store.find(claim.executionId)?.wait(claim, wait) ?? null);
  }

  override begin(claim: ClaimFence): Promise<number | null> {
    return Promise.resolve(this.store.find(claim.executionId)?.isLatest(claim) === true ? 0 : null);
  }

  override showWait(claim: ClaimFence, waiting: WaitingFor | null): Promise<boolean> {
    return Promise.resolve(this.store.find(claim.executionId)?.showWait(claim, waiting) ?? false);
  }

  override recordIsolatedDeath(
    claim: ClaimFence,
    maxIsolatedDeaths: number,
  ): Promise<'requeued' | 'poisoned' | null> {
    const execution = this.store.find(claim.executionId);
    return Promise.resolve(execution?.recordIsolatedDeath(claim, maxIsolatedDeaths) ?? null);
  }

  private take(executionId: string, options: ClaimOptions, token: string): ClaimResult {
    const execution = this.store.find(executionId);
    if (!execution || !this.store.isHead(execution)) return { kind: 'not_runnable' };
    const taken = execution.take(options, token);
    if (taken === null) return { kind: 'not_runnable' };
    if (taken === 'not_now') return { kind: 'not_now', isSuspect: true };
    const claim = toClaim(execution, taken);
    return taken.isPoisoned ? { kind: 'poisoned', claim } : { kind: 'claimed', claim, state: null };
  }
}

export function toClaim({ accepted }: ContendedExecution, taken: ContendedClaim): Claim {
  const { executionId, tenantId, agentId, sessionId, turnNumber, request } = accepted;
  const { attempt, epoch, token, isCancelled, isLate, isSuspect, followsLostAttempt } = taken;
  return {
    executionId,
    tenantId,
    agentId,
    sessionId,
    turnNumber,
    attempt,
    epoch,
    token,
    remainingMs: isLate ? 0 : REMAINING_MS,
    timeoutMs: REMAINING_MS,
    claimedAtMs: 0,
    startedAtMs: 0,
    restoredAtMs: null,
    waitingFor: null,
    accepted: { agentVersion: accepted.agentVersion, createdAtMs: 0, metadata: accepted.metadata },
    messageIds: [1, 2, 3],
    request,
    isCancelled,
    isSuspect,
    needsFreshProcess: taken.needsFreshProcess,
    followsLostAttempt,
  };
}
