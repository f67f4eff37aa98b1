import type { MonotonicClock } from '#libs/kernel';

/** Where an adapter reports trouble it recovers from by itself. `details` are safe to log. */
export type EventStreamLog = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** Reports one failure; the error's own text goes to the log only, never to a client. */
export type FailureLog = (message: string, error: unknown) => void;

const EVERY_MS = 10_000;

/** At most one line per message in 10 s: a server that is down makes thousands of errors a second. */
export function limitFailureLog(log: EventStreamLog, clock: MonotonicClock): FailureLog {
  const lastLines = new Map<string, { at: number; suppressed: number }>();
  return (message, error) => {
    const last = lastLines.get(message);
    if (last !== undefined && clock.monotonic() - last.at < EVERY_MS) {
      last.suppressed += 1;
      return;
    }
    lastLines.set(message, { at: clock.monotonic(), suppressed: 0 });
    log(message, { reason: reasonOf(error), suppressed: last?.suppressed ?? 0 });
  };
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  // Several addresses of one host, tried in vain.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.map(reasonOf).join('; ');
  return 'message' in error ? String(error.message) : 'unknown';
}
