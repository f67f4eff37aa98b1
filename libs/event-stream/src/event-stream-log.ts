import type { MonotonicClock } from '#libs/kernel';
import { rateLimited } from '#libs/observability';

/** Where an adapter reports trouble it recovers from by itself. `details` are safe to log. */
export type EventStreamLog = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** Reports one failure; the error's own text goes to the log only, never to a client. */
export type FailureLog = (message: string, error: unknown) => void;

const EVERY_MS = 10_000;

/** At most one line per message in 10 s: a server that is down makes thousands of errors a second. */
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
  // Several addresses of one host, tried in vain.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join('; ');
  return 'message' in error ? String(error.message) : 'unknown';
}
