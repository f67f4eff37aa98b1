import { pause, type MonotonicClock, type Timers } from '#libs/kernel';
import type { ExecuteRequest } from '#libs/payloads';
import {
  checkAdmission,
  limitsToCount,
  pauseOf,
  type AdmissionLimits,
  type AdmissionVerdict,
} from '#libs/policy';
import type { CancelStore } from '../ports/cancel-store.js';
import { ENDED_UNSTARTED } from '../cancel/evaluate-cancellation.js';
import type { ExecutionMeter } from '../ports/execution-meter.js';
import type { Acceptance, AcceptanceStore, Submission } from '../ports/acceptance-store.js';
import type { BacklogGauge } from './backlog-gauge.js';

/** Maximum wait of `on_conflict: reject` for the conversation, in milliseconds (S4-3). */
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 100;

export type OnConflict = NonNullable<ExecuteRequest['on_conflict']>;
export type NotAdmitted = Exclude<AdmissionVerdict, { kind: 'admitted' }>;

export interface AcceptDependencies {
  readonly acceptances: AcceptanceStore;
  readonly cancellations: Pick<CancelStore, 'requestBefore'>;
  readonly backlog: BacklogGauge;
  readonly limits: AdmissionLimits;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly meter: ExecutionMeter;
}

/** Accepts work if the queue limits allow it and the conversation is free or may queue it. */
export async function acceptSubmission(
  deps: AcceptDependencies,
  submission: Submission,
  onConflict: OnConflict,
): Promise<Exclude<Acceptance, { kind: 'no_room' }> | NotAdmitted> {
  const { acceptances, limits } = deps;
  const backlog = await deps.backlog.read(submission.tenantId);
  const verdict = checkAdmission(backlog, limits);
  // A replay is answered even when the queue is full.
  if (verdict.kind !== 'admitted') return (await acceptances.findEarlier(submission)) ?? verdict;
  const counted = limitsToCount(backlog, limits);
  const acceptance = await accept(deps, { ...submission, counted }, onConflict);
  if (acceptance.kind !== 'no_room') return acceptance;
  const kind = acceptance.of === 'tenant' ? 'tenant_full' : 'overloaded';
  return { kind, retryAfterSeconds: pauseOf(backlog) };
}

async function accept(
  deps: AcceptDependencies,
  submission: Submission,
  onConflict: OnConflict,
): Promise<Acceptance> {
  const { acceptances } = deps;
  const { sessionId } = submission;
  if (sessionId === null) return acceptances.accept(submission);
  switch (onConflict) {
    case 'enqueue':
      return acceptances.accept(submission);
    case 'interrupt':
      return acceptAndInterrupt(deps, submission);
    case 'reject':
      return acceptWhenFree(deps, { ...submission, sessionId });
  }
}

/**
 * Accepts first and then cancels earlier turns, so that a refused request cancels none. A replay repeats the
 * cancellation, in case an API process died in between, but never cancels its own execution.
 */
async function acceptAndInterrupt(
  { acceptances, cancellations, meter }: AcceptDependencies,
  submission: Submission,
): Promise<Acceptance> {
  const acceptance = await acceptances.accept(submission);
  if (acceptance.kind !== 'accepted' && acceptance.kind !== 'replayed') return acceptance;
  const executionId = acceptance.kind === 'accepted' ? submission.executionId : acceptance.executionId;
  const cancelled = await cancellations.requestBefore(submission.tenantId, executionId);
  for (let ended = 0; ended < cancelled; ended += 1) meter.record(ENDED_UNSTARTED);
  return acceptance;
}

/** Waits briefly for a conversation that is about to become free (S4-3). */
async function acceptWhenFree(
  { acceptances, clock, timers }: AcceptDependencies,
  submission: Submission & { readonly sessionId: string },
): Promise<Acceptance> {
  const giveUpAt = clock.monotonic() + LOCK_WAIT_MS;
  for (;;) {
    const acceptance = await acceptances.acceptIfFree(submission);
    if (acceptance.kind !== 'session_busy' || clock.monotonic() >= giveUpAt) return acceptance;
    await pause(timers, LOCK_POLL_MS);
  }
}
