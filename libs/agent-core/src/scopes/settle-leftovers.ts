import { UNKNOWN_OUTCOME_TEXT } from '#libs/tooling';
import { scopesOf, type ExecutionState } from '../execution-state.js';
import type { ScopeState } from '../scope-state.js';
import type { FailureDetails, JournalEntry } from '../journal-entry.js';
import { TOO_LATE } from '../too-late.js';
import { childPath, depthOf, isInside, ROOT, type ScopePath } from './scope-path.js';

/**
 * What ends every scope inside one that goes no further, the innermost first, so that no audit row stays open. Nobody
 * runs any of it at that time: of calls that began nobody can say whether they took effect.
 */
export function settleInside(state: ExecutionState, outer: ScopePath, error: FailureDetails): JournalEntry[] {
  return settleScopes(state, (path) => isInside(path, outer), error);
}

/** The same of a scope and everything inside. */
export function settleWhole(state: ExecutionState, path: ScopePath, error: FailureDetails): JournalEntry[] {
  return settleScopes(state, (other) => other === path || isInside(other, path), error);
}

function settleScopes(
  state: ExecutionState,
  isMeant: (path: ScopePath) => boolean,
  error: FailureDetails,
): JournalEntry[] {
  return [...state.children]
    .filter(([path, scope]) => isMeant(path) && scope.outcome === null)
    .sort(([a], [b]) => depthOf(b) - depthOf(a))
    .flatMap(([path, scope]): JournalEntry[] => [
      ...settleCalls(state, path, scope),
      { kind: 'scope_settled', scope: path, outcome: { status: 'failed', error } },
    ]);
}

/** The same of the whole execution, the root's calls included. */
export function settleLeftovers(state: ExecutionState, error: FailureDetails): JournalEntry[] {
  const [root] = scopesOf(state);
  return [...settleInside(state, ROOT, error), ...(root ? settleCalls(state, ROOT, root[1]) : [])];
}

function settleCalls(state: ExecutionState, path: ScopePath, scope: ScopeState): JournalEntry[] {
  const calls = scope.rounds.flatMap((round) => round.calls);
  return calls
    .filter((call) => call.outcome === null)
    .map((call) => {
      const { round, position, started } = call;
      const isScope = state.children.has(childPath(path, call));
      const unknown = { status: 'outcome_unknown', output: UNKNOWN_OUTCOME_TEXT } as const;
      const outcome = isScope ? STOPPED_AGENT : started ? unknown : TOO_LATE;
      return {
        kind: 'tool_call_settled' as const,
        ...(path !== ROOT && { scope: path }),
        round,
        position,
        outcome,
      };
    });
}

/** The work of an agent that its caller did not wait for. */
export const STOPPED_AGENT = {
  status: 'failed',
  output: 'the execution ended before this agent did',
  error: 'the execution ended before this agent did',
} as const;
