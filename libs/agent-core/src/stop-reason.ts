/**
 * Why an effect in flight is aborted. `deadline`: the execution settles with its partial result. `cancelled`: it
 * settles without a result. `lease_lost`: this worker begins nothing more and leaves the rest to the next attempt.
 */
export type StopReason = 'deadline' | 'cancelled' | 'lease_lost';

export interface LoopSignals {
  /** Shutdown: stop at the next step boundary and leave the journal resumable. */
  readonly drain: AbortSignal;
  /** Aborts the effect in flight too; `reason` is a {@link StopReason}. */
  readonly abort: AbortSignal;
}

export function mayStillWrite(signal: AbortSignal): boolean {
  return !signal.aborted || signal.reason !== ('lease_lost' satisfies StopReason);
}

export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === ('cancelled' satisfies StopReason);
}

export function isLate(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === ('deadline' satisfies StopReason);
}
