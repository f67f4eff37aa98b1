import type { ModelCallLimits } from '#libs/agent-core';

/** Below that no server could answer, however well it is. */
const SHORTEST_MS = 1_000;

/**
 * Milliseconds within which the first byte of a streamed answer has to come: as configured, never longer than the whole
 * request may take, and, while another try is allowed, at most half of the time that is left, so that one retry fits.
 */
export function firstByteLimit(
  configured: { readonly firstByteMs: number; readonly timeoutMs: number },
  limits: ModelCallLimits | undefined,
): number {
  const wanted = Math.min(configured.firstByteMs, configured.timeoutMs);
  if (limits === undefined || limits.isLastTry) return wanted;
  return Math.min(wanted, Math.max(SHORTEST_MS, Math.floor(limits.remainingMs / 2)));
}
