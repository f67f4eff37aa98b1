import type { ModelCallLimits } from '#libs/agent-core';

/** Minimum in milliseconds; no server could answer faster. */
const MIN_MS = 1_000;

/**
 * Timeout in milliseconds for the first byte of a streamed answer: the configured one, at most the request's timeout.
 * While a retry is allowed, also at most half of the remaining time, so that one retry fits.
 */
export function firstByteLimit(
  configured: { readonly firstByteMs: number; readonly timeoutMs: number },
  limits: ModelCallLimits | undefined,
): number {
  const wanted = Math.min(configured.firstByteMs, configured.timeoutMs);
  if (limits === undefined || limits.isLastTry) return wanted;
  return Math.min(wanted, Math.max(MIN_MS, Math.floor(limits.remainingMs / 2)));
}
