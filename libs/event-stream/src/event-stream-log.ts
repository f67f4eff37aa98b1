import type { MonotonicClock } from '#libs/kernel';
import { rateLimited } from '#libs/observability';

/** Receives failures that a backend recovers from by itself. `details` are safe to log. */
export type EventStreamLog = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** Reports one failure; the error's text goes to the log only, never to a client. */
export type FailureLog = (message: string, error: unknown) => void;

const EVERY_MS = 10_000;

/** Logs at most one line per message in 10 s: an unavailable server causes thousands of errors per second. */
export function limitFailureLog(log: EventStreamLog, clock: MonotonicClock): FailureLog {
  const reports = new Map<string, (error: unknown) => void>();
  const reportOf = (message: string): ((error: unknown) => void) =>
    rateLimited(
      (error, suppressed) => log(message, { reason: reasonOf(error), suppressed }),
      EVERY_MS,
      () => clock.monotonic(),
    );
  return (message, error) => {
    const report = reports.get(message) ?? reportOf(message);
    reports.set(message, report);
    report(error);
  };
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  // All addresses of a host failed.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join('; ');
  return 'message' in error ? String(error.message) : 'unknown';
}
