import type { ModelCallLimits } from '#libs/agent-core';
import type { ProviderSettings } from '../provider/credentials.js';

/** Minimum in milliseconds; with less a call streams, since its answer may well take longer. */
const MIN_MS = 30_000;

/**
 * Timeout in milliseconds for the whole answer of a call that does not stream; null for a call that streams. With
 * `stream_when: followed` a call does not stream while nothing follows the execution, if its timeout ends before the
 * deadline: a deadline keeps the text that has been streamed by then. While a retry is allowed, the timeout is at most
 * half of the remaining time, so that one retry fits; the last try streams where the deadline may come first.
 */
export function wholeAnswerLimit(
  { streamWhen, timeoutMs }: Pick<ProviderSettings, 'streamWhen' | 'timeoutMs'>,
  limits: ModelCallLimits | undefined,
): number | null {
  if (streamWhen !== 'followed' || limits === undefined || limits.isFollowed) return null;
  if (limits.isLastTry) return limits.remainingMs > timeoutMs ? timeoutMs : null;
  const limit = Math.min(timeoutMs, Math.floor(limits.remainingMs / 2));
  return limit < Math.min(MIN_MS, timeoutMs) ? null : limit;
}
