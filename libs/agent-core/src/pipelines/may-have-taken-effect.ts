import type { ToolEffect } from '#libs/tooling';
import type { ScopeState, ToolCallState } from '../scope-state.js';
import { childPath, type ScopePath } from '../scopes/scope-path.js';

/** The effect of a call's tool; null if it is unknown. */
export type EffectOf = (call: ToolCallState) => ToolEffect | null;

/**
 * Whether any of the calls, or of the calls in scopes they opened, began and does more than read. A retry of a step
 * uses new call keys, so even an idempotent call would take effect twice.
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
