/**
 * Lets one report through per `intervalMs` and counts the others: a broken connection can fail thousands of times a
 * second, and the log must not become the next problem.
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
