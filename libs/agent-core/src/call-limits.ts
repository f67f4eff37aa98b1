import { executionCallLimitText, roundCallLimitText, type RefusalReason } from '#libs/tooling';
import type { ScopeState } from './scope-state.js';
import type { CallPosition } from './journal-entry.js';

/** Calls of one round that may run; the rest is refused. */
export const MAX_CALLS_PER_ROUND = 64;

/** Calls that one execution may ask for, those that were refused included; the rest is refused. */
export const MAX_CALLS_PER_EXECUTION = 2_000;

/**
 * Calls are cheap to ask for: by its place alone, is this one too many?
 *
 * @param callsElsewhere those that other scopes of the execution have asked for
 */
export function beyondCallLimits(
  { round, position }: CallPosition,
  state: ScopeState,
  callsElsewhere: number,
): { readonly reason: RefusalReason; readonly output: string } | null {
  const before = state.rounds.slice(0, round - 1).reduce((sum, { calls }) => sum + calls.length, 0);
  if (callsElsewhere + before + position >= MAX_CALLS_PER_EXECUTION)
    return { reason: 'execution_call_limit', output: executionCallLimitText(MAX_CALLS_PER_EXECUTION) };
  if (position >= MAX_CALLS_PER_ROUND)
    return { reason: 'round_call_limit', output: roundCallLimitText(MAX_CALLS_PER_ROUND) };
  return null;
}
