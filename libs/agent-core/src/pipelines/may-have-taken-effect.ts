import type { ScopeState } from '../scope-state.js';
import { childPath, type ScopePath } from '../scopes/scope-path.js';

/**
 * Whether a call of a loop, or of a loop inside it, may have had an effect that nobody may repeat: it began, and
 * nothing says that it may be made again.
 */
export function mayHaveTakenEffect(scopes: ReadonlyMap<ScopePath, ScopeState>, path: ScopePath): boolean {
  const calls = scopes.get(path)?.rounds.flatMap((round) => round.calls) ?? [];
  return calls.some((call) => {
    const inside = childPath(path, call);
    if (scopes.has(inside)) return mayHaveTakenEffect(scopes, inside);
    return call.started && !call.outcomeMayLag;
  });
}
