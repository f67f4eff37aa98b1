/** Reasons for which a scope goes on with a fallback model. A refusal and a request that is not valid are none. */
export const SWITCH_REASONS = ['unavailable', 'breaker_open', 'rate_limited'] as const;
export type SwitchReason = (typeof SWITCH_REASONS)[number];
