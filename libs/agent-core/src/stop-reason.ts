/**
 * Why an effect in flight is given up. `deadline`: the execution settles with what there is. `cancelled`: it settles
 * without a result. `lease_lost`: this worker begins nothing more, and leaves the rest to the next attempt.
 */
export type StopReason = 'deadline' | 'cancelled' | 'lease_lost';

export interface LoopSignals {
  /** Deploy: stop at the next boundary and leave the journal as it is. */
  readonly drain: AbortSignal;
  /** Give up the effect in flight too; `reason` is a {@link StopReason}. */
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
