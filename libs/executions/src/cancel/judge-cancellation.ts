import { CANCELLED, type JournalEntry } from '#libs/agent-core';
import { isSettled, type ExecutionStatus } from '#libs/payloads';
import type { CancellationResult } from '../ports/cancel-store.js';
import type { Measurement } from '../ports/execution-meter.js';

/**
 * What a request to cancel an execution comes to. Pure. One that was never claimed has spent nothing and ends at once;
 * any other is
 * ended by whoever runs it, or takes it up next, with everything that it has spent.
 */
export function judgeCancellation(of: {
  readonly status: ExecutionStatus;
  readonly attempt: number;
}): Exclude<CancellationResult['kind'], 'not_found'> {
  if (isSettled(of.status)) return 'settled_before';
  return of.status === 'queued' && of.attempt === 0 ? 'cancelled' : 'requested';
}

/** The journal of an execution that was cancelled before anybody claimed it. */
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
