/**
 * Passes one report per `intervalMs` and counts the rest: a broken connection can fail thousands of times per second
 * and must not flood the log.
 */
export function rateLimited<T>(
  report: (value: T, suppressed: number) => void,
  intervalMs: number,
  now: () => number,
): (value: T) => void {
  let nextAt = -Infinity;
  let suppressed = 0;
  return (value) => {
    if (now() < nextAt) {
      suppressed += 1;
      return;
    }
    nextAt = now() + intervalMs;
    report(value, suppressed);
    suppressed = 0;
  };
}
