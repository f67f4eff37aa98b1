import { isTransient } from './classify-thrown.js';

/** Retry policy of a repeatable call. */
export interface RetryRules {
  /** Maximum tries in total, at least 1. */
  readonly maxTries: number;
  /** Aborts the call; no try starts afterwards. */
  readonly signal: AbortSignal;
  /** Resolves after `ms` milliseconds, or when `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  /** Called with the error of a failed try before the next one. */
  readonly onRetry: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 200;

/**
 * Retries transient failures with backoff and jitter; rethrows permanent ones and the last try's error. Only for
 * repeatable calls, because the other side may have processed every try.
 */
export async function retryTransient<Answer>(
  call: () => Promise<Answer>,
  { maxTries, signal, wait, random, onRetry }: RetryRules,
): Promise<Answer> {
  const isToStop = (): boolean => signal.aborted;
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries >= maxTries || isToStop() || !isTransient(error)) throw error;
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + random() / 2), signal);
      if (isToStop()) throw error;
      onRetry(error);
    }
  }
}
