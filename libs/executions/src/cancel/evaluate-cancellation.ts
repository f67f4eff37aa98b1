import { CANCELLED, type JournalEntry } from '#libs/agent-core';
import { isSettled, type ExecutionStatus } from '#libs/payloads';
import type { CancellationResult } from '../ports/cancel-store.js';
import type { Measurement } from '../ports/execution-meter.js';

/**
 * Decides the effect of a cancellation request. Pure. An execution that was never claimed has no usage and is cancelled
 * at once; the worker that runs or next claims any other execution ends it and records its usage.
 */
export function evaluateCancellation(of: {
  readonly status: ExecutionStatus;
  readonly attempt: number;
}): Exclude<CancellationResult['kind'], 'not_found'> {
  if (isSettled(of.status)) return 'settled_before';
  return of.status === 'queued' && of.attempt === 0 ? 'cancelled' : 'requested';
}

/** Journal of an execution that was cancelled before its first claim. */
export const CANCELLED_UNSTARTED: readonly JournalEntry[] = [
  { kind: 'cancellation_requested' },
  { kind: 'execution_settled', outcome: { status: 'cancelled' } },
];

export const ENDED_UNSTARTED: Measurement = {
  kind: 'settled',
  status: 'cancelled',
  reason: CANCELLED.code,
  waitSeconds: null,
  totalSeconds: null,
};
