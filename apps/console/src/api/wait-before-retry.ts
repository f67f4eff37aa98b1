const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/**
 * Pause before the next try in ms: doubles up to 15 s, and is drawn from its upper half so that many open pages do not all
 * come back at once. Pure.
 * @param failures tries that failed in a row
 * @param chance number from 0 to 1
 */
export function pauseBeforeRetry(failures: number, chance: number): number {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
  return Math.round(longest * (0.5 + chance / 2));
}

/** Resolves after the pause, or at once when it is called off. */
export function waitBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseBeforeRetry(failures, Math.random()));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
