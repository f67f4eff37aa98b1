import type { FailureDetails, LoopSignals } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import type { Claim, ClaimFence, ClaimResult, QueuedWait } from '../ports/claim-store.js';
import type { Measurement } from '../ports/execution-meter.js';
import type { AttemptStart } from './attempt.js';
import { endAsFailed, runAttempt } from './run-attempt.js';
import type {
  IsolationEnding,
  IsolationPlace,
  RunExecutionDependencies,
} from './run-execution-dependencies.js';

/** Steps of a run that its caller may act on. */
export interface RunListener {
  /** Called when the claim has succeeded or failed, before the attempt begins. */
  readonly onClaimed?: () => void;
  /** The `onStored` of {@link AttemptStart}; never called for an isolated execution. */
  readonly onStored?: () => void;
}

/** Claims one execution, runs its loop, and settles or releases it. Every ending is recorded. */
export class RunExecution {
  /** Ids of executions that this process runs. A lapsed lease does not make them claimable here a second time. */
  private readonly inHand = new Set<string>();

  constructor(private readonly deps: RunExecutionDependencies) {}

  /**
   * @param assigned token of the claim that the API has made for this worker; null to claim
   */
  async execute(
    executionId: string,
    drain: AbortSignal,
    { onClaimed, onStored }: RunListener = {},
    assigned: string | null = null,
  ): Promise<void> {
    if (this.inHand.has(executionId)) return;
    const options = await this.deps.claimOptions();
    // The first attempt of an execution is never that of a suspect.
    const place = assigned === null ? this.deps.isolation.reserve() : null;
    let wasIsolated = false;
    let hasSettled = false;
    try {
      const askedAt = this.deps.leases.now();
      const token = assigned ?? this.deps.newToken();
      const result = await this.claim({ executionId, token }, drain, () =>
        assigned === null
          ? this.deps.claims.claim(executionId, { ...options, canIsolate: place !== null }, token)
          : this.deps.assignments.take({ executionId, token }, options),
      );
      onClaimed?.();
      this.deps.meter.record(measureClaim(result, assigned !== null));
      if (result.kind === 'not_now' && result.isSuspect && place === null) this.deps.isolation.prepare();
      if (result.kind === 'not_runnable' || result.kind === 'not_now') return;
      const isolate = place !== null && result.kind === 'claimed' && result.claim.isSuspect;
      wasIsolated = isolate;
      // An unsuspected execution runs in this process and frees the isolation place.
      if (!isolate) place?.release();
      this.inHand.add(executionId);
      if (isolate) await this.runIsolated(place, result.claim, drain, { ...options, askedAt });
      else if (result.kind === 'poisoned')
        hasSettled = (await endAsFailed(this.deps, result.claim, POISONED)) === 'settled';
      else hasSettled = await this.runHere(result.claim, drain, { state: result.state, askedAt, onStored });
    } finally {
      place?.release();
      if (this.inHand.delete(executionId)) this.deps.onEnded({ wasIsolated, hasSettled });
    }
  }

  /** Returns whether the attempt has settled the execution. */
  private async runHere(claim: Claim, drain: AbortSignal, start: AttemptStart): Promise<boolean> {
    return (await runAttempt(this.deps, claim, drain, start)) === 'settled';
  }

  /**
   * Asks for the claim. If the response is lost, the claim may still be granted; it is released so that it does not
   * block.
   */
  private async claim(
    fence: ClaimFence,
    drain: AbortSignal,
    ask: () => Promise<ClaimResult>,
  ): Promise<ClaimResult> {
    const { claims, backgroundReleases, classifyStorageError } = this.deps;
    try {
      return await ask();
    } catch (error) {
      this.deps.meter.record({ kind: 'claim', outcome: 'error', followsLoss: false });
      const failure = classifyStorageError(error);
      const mayLand = failure.kind !== 'ours' && failure.mayHaveCommitted;
      await backgroundReleases.release(async () => {
        const isOver = (await claims.release(fence)) || !mayLand || drain.aborted;
        if (!isOver) throw new ClaimNotSeenError();
      });
      throw error;
    }
  }

  /** The parent process keeps the lease; only a crash of the child that it has observed is counted. */
  private async runIsolated(
    place: IsolationPlace,
    claim: Claim,
    drain: AbortSignal,
    { maxIsolatedDeaths, askedAt }: { readonly maxIsolatedDeaths: number; readonly askedAt: number },
  ): Promise<void> {
    const { claims, backgroundReleases, leases, logger, meter } = this.deps;
    const { executionId } = claim;
    const abort = new AbortController();
    const release = leases.hold(claim, abort, askedAt);
    try {
      const ending = await this.isolate(place, claim, { drain, abort: abort.signal });
      // The child process already recorded metrics.
      if (ending === 'done') return;
      if (ending !== 'died') meter.record({ kind: 'attempt', ending });
      logger.warn({ executionId, ending }, 'isolated attempt aborted');
      if (ending === 'not_started') {
        await backgroundReleases.release(() => claims.postpone(claim, NOT_STARTED));
        return;
      }
      if (ending === 'broke_off') {
        await backgroundReleases.release(() => claims.requeueWithBackoff(claim));
        return;
      }
      if (ending === 'cut_off') {
        await backgroundReleases.release(() => claims.requeueCutOff(claim));
        return;
      }
      const recorded = await backgroundReleases.release(() =>
        claims.recordIsolatedDeath(claim, maxIsolatedDeaths),
      );
      // The crashed child may have had a model call in flight.
      if (recorded === 'poisoned')
        await endAsFailed(this.deps, { ...claim, followsLostAttempt: true }, POISONED);
      else meter.record({ kind: 'attempt', ending });
    } finally {
      release();
    }
  }

  private async isolate(place: IsolationPlace, claim: Claim, signals: LoopSignals): Promise<IsolationEnding> {
    try {
      return await place.run(claim, signals);
    } catch (err) {
      this.deps.logger.error({ err, executionId: claim.executionId }, 'no child process for a suspect');
      return 'not_started';
    }
  }
}

function measureClaim(result: ClaimResult, wasAssigned: boolean): Measurement {
  if (result.kind === 'not_runnable' || result.kind === 'not_now')
    return { kind: 'claim', outcome: result.kind, followsLoss: false };
  const { isSuspect, followsLostAttempt } = result.claim;
  const claimed = wasAssigned ? 'assigned' : isSuspect ? 'suspect' : 'claimed';
  const outcome = result.kind === 'claimed' ? claimed : result.kind;
  return { kind: 'claim', outcome, followsLoss: followsLostAttempt };
}

/** Wait of a suspect for which no process could be started; another worker may have more room. */
const NOT_STARTED: QueuedWait = {
  kind: 'slot',
  name: null,
  message: 'no isolated process could be started for the execution',
  delayMs: 5_000,
  waitedMs: null,
};

/** Raised while an unanswered claim has not appeared: it may still be granted later, so that the release is retried. */
class ClaimNotSeenError extends AppError {
  constructor() {
    super({
      code: 'CLAIM_NOT_SEEN',
      kind: 'unavailable',
      message: 'a claim without an answer has not been granted so far',
      retryable: true,
    });
  }
}

const POISONED: FailureDetails = {
  code: 'POISONED',
  message: 'the execution was given up: it crashed its process twice while running alone',
};
