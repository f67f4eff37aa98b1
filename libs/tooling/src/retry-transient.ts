import { isTransient } from './judge-thrown.js';

/** How a call is repeated that may be. */
export interface RetryRules {
  /** How often it is called in all, from 1. */
  readonly maxTries: number;
  /** Ends the call: nothing is called after it is aborted. */
  readonly signal: AbortSignal;
  /** Resolves after `ms` milliseconds, or when `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  /** Another try follows what this one threw. */
  readonly onRetry: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 200;

/**
 * Retries with backoff and jitter what failed in passing; anything else, and what the last try threw, is thrown. Only
 * for calls that may be repeated: the other side may have seen every one of them.
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
