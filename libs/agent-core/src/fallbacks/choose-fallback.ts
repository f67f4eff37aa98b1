import type { FallbackRules } from '../loop-rules.js';
import { ModelCallError, RATE_LIMITED } from '../ports/model-call-error.js';
import { ModelHostUnavailableError } from '../ports/model-host-unavailable-error.js';
import type { ModelFailure, ScopeState } from '../scope-state.js';
import type { SwitchReason } from './switch-reason.js';

/** Ids of the model configurations that the scope may still switch to, in order. Pure. */
export function fallbacksLeft(
  { passedOver }: Pick<ScopeState, 'passedOver'>,
  rules: FallbackRules | undefined,
): readonly number[] {
  return (rules?.llms ?? []).filter((llmId) => !passedOver.includes(llmId));
}

/** True for an error of a single call, such as that for a title, which another model would mend. */
export function leadsToFallback(error: unknown): boolean {
  return error instanceof ModelHostUnavailableError || (error instanceof ModelCallError && error.retryable);
}

/**
 * Finds the reason to leave the model after this failure: its retries are used up, or it asks for a longer wait than the
 * scope takes. Null for a failure that another model would not mend. Pure.
 * @param failedTries failed tries of this model in the round, from 1
 */
export function findSwitchReason(
  failure: ModelFailure | undefined,
  failedTries: number,
  { maxModelRetries, fallbacks }: { readonly maxModelRetries: number; readonly fallbacks?: FallbackRules },
): SwitchReason | null {
  if (failure === undefined || failure.refusesHistory || !failure.retryable) return null;
  const isLimited = failure.reason === 'rate_limited' || failure.error.code === RATE_LIMITED;
  const isLong = (failure.retryAfterMs ?? 0) > (fallbacks?.rateLimitMs ?? Infinity);
  if (isLimited && isLong) return 'rate_limited';
  if (failedTries <= maxModelRetries) return null;
  return isLimited ? 'rate_limited' : 'unavailable';
}
