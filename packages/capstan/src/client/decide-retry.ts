/** How a try ended that was no success; `connection`: no whole answer came. */
export type Failure =
  | { readonly kind: 'connection' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly code: string | null;
      /** Header `x-should-retry`, which wins over everything else. */
      readonly shouldRetry: boolean | null;
      readonly retryAfterMs: number | null;
    };

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
/** A longer pause than this is the caller’s to wait for: the call fails at once. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Pause in ms before the next try, or null where there is none.
 * @param retries tries after the first one, so far
 * @param chance number from 0 to 1
 */
export function decideRetry(
  failure: Failure,
  retries: number,
  maxRetries: number,
  chance: number,
): number | null {
  if (retries >= maxRetries || !isPassing(failure)) return null;
  const pause = pauseBeforeRetry(retries, chance, MAX_PAUSE_MS);
  if (failure.kind === 'connection' || failure.retryAfterMs === null) return pause;
  return failure.retryAfterMs > MAX_RETRY_AFTER_MS ? null : failure.retryAfterMs + pause * 0.25;
}

/** Whether the same request may succeed later. */
export function isPassing(failure: Failure): boolean {
  if (failure.kind === 'connection') return true;
  if (failure.shouldRetry !== null) return failure.shouldRetry;
  // The first try is still being answered: the key gives its answer once it is there.
  if (failure.code === 'IDEMPOTENCY_KEY_UNDER_WAY') return true;
  return failure.status === 408 || failure.status === 429 || failure.status >= 500;
}

/** Doubles up to the longest pause, and is drawn from its upper half so that clients do not all come back at once. */
export function pauseBeforeRetry(retries: number, chance: number, longest: number): number {
  const whole = Math.min(longest, FIRST_PAUSE_MS * 2 ** Math.min(retries, 10));
  return Math.round(whole * (0.5 + chance / 2));
}
