import type { ModelCallLimits } from '#libs/agent-core';
import type { ProviderSettings } from '../provider/credentials.js';

/**
 * Whether a call asks for a stream. With `stream_when: followed` it asks for the whole answer while nothing follows the
 * execution. A call that the deadline may interrupt streams all the same, since its partial text is the execution's result.
 */
export function asksForStream(
  { streamWhen, timeoutMs }: Pick<ProviderSettings, 'streamWhen' | 'timeoutMs'>,
  limits: ModelCallLimits | undefined,
): boolean {
  if (streamWhen !== 'followed' || limits === undefined) return true;
  return limits.isFollowed || limits.remainingMs <= timeoutMs;
}
