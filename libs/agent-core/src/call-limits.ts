import { executionCallLimitText, roundCallLimitText, type RefusalReason } from '#libs/tooling';
import type { ScopeState } from './scope-state.js';
import type { CallPosition } from './journal-entry.js';

/** Maximum calls that run in one round; further ones are refused. */
export const MAX_CALLS_PER_ROUND = 64;

/** Maximum calls of one execution, refused ones included; further ones are refused. */
export const MAX_CALLS_PER_EXECUTION = 2_000;

/**
 * The refusal of a call beyond the limits, by its position alone; null within them.
 * @param callsElsewhere number of calls in the execution's other scopes
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
