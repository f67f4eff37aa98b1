import type { Logger } from './logger.js';
import { rateLimited } from './rate-limited.js';

const INTERVAL_MS = 1_000;

/** Logs at most one error per second as a warning, with the number of suppressed ones. */
export function warnRarely(logger: Pick<Logger, 'warn'>, message: string): (error: unknown) => void {
  return rateLimited<unknown>(
    (err, suppressed) => logger.warn({ err, suppressed }, message),
    INTERVAL_MS,
    () => performance.now(),
  );
}
