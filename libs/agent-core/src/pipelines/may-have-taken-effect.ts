import type { ToolEffect } from '#libs/tooling';
import type { ScopeState, ToolCallState } from '../scope-state.js';
import { childPath, type ScopePath } from '../scopes/scope-path.js';

/** What repeating a call would do; null where nobody knows it. */
export type EffectOf = (call: ToolCallState) => ToolEffect | null;

/**
 * Whether calls, or those of loops that they run, may have had an effect: one began, and it does not only read. A call
 * that is made again by another attempt at a step has another key, so also one that is idempotent would take effect twice.
 */
export function mayHaveTakenEffect(
  calls: readonly ToolCallState[],
  path: ScopePath,
  scopes: ReadonlyMap<ScopePath, ScopeState>,
  effectOf: EffectOf,
): boolean {
  return calls.some((call) => {
    const inside = childPath(path, call);
    const scope = scopes.get(inside);
    if (scope === undefined) return call.started && effectOf(call) !== 'read';
    const below = scope.rounds.flatMap((round) => round.calls);
    return mayHaveTakenEffect(below, inside, scopes, effectOf);
  });
}
