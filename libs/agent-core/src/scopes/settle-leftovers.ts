import type { CallVerdict } from '#libs/tooling';
import { followUnknown } from '../begun-calls.js';
import { settled, TOO_LATE } from '../call-facts.js';
import type { ExecutionState } from '../execution-state.js';
import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';
import type { ScopeState, ToolCallState } from '../scope-state.js';
import { childPath, depthOf, isInside, ROOT, type ScopePath } from './scope-path.js';

/** The outcome of a scope that does not continue. */
type EndOf = (scope: ScopeState) => ExecutionOutcome;

/**
 * Settles every scope inside one that does not continue, innermost first, so that no audit row stays open. No call runs
 * at that time: started calls settle as unknown unless a person has reported their outcome.
 */
export function settleInside(state: ExecutionState, outer: ScopePath, endOf: EndOf): JournalEntry[] {
  return settleScopes(state, (path) => isInside(path, outer), endOf);
}

/** Settles a scope and everything inside it. */
export function settleWhole(state: ExecutionState, path: ScopePath, endOf: EndOf): JournalEntry[] {
  return settleScopes(state, (other) => other === path || isInside(other, path), endOf);
}

function settleScopes(
  state: ExecutionState,
  isMeant: (path: ScopePath) => boolean,
  endOf: EndOf,
): JournalEntry[] {
  return [...state.children]
    .filter(([path, scope]) => isMeant(path) && scope.outcome === null)
    .sort(([a], [b]) => depthOf(b) - depthOf(a))
    .flatMap(([path, scope]): JournalEntry[] => [
      ...settleCalls(state, path, scope),
      { kind: 'scope_settled', scope: path, outcome: endOf(scope) },
    ]);
}

/** Settles everything open in the execution, the root's calls included. */
export function settleLeftovers(state: ExecutionState, endOf: EndOf): JournalEntry[] {
  return [...settleInside(state, ROOT, endOf), ...settleCalls(state, ROOT, state)];
}

/** Whether any of these facts records an unknown outcome. */
export function leavesUnknown(entries: readonly JournalEntry[]): boolean {
  return entries.some(
    (entry) => entry.kind === 'tool_call_settled' && entry.outcome.status === 'outcome_unknown',
  );
}

function settleCalls(state: ExecutionState, path: ScopePath, scope: ScopeState): JournalEntry[] {
  const calls = scope.rounds.flatMap((round) => round.calls);
  return calls
    .filter((call) => call.outcome === null)
    .flatMap((call) => settleCall(call, state.children.has(childPath(path, call))))
    .map((entry) => ({ ...entry, ...(path !== ROOT && { scope: path }) }));
}

function settleCall(call: ToolCallState, isScope: boolean): JournalEntry[] {
  if (isScope) return [settled(call, STOPPED_AGENT)];
  return call.started ? followUnknown(call, UNJUDGED, true) : [settled(call, TOO_LATE)];
}

/** The call's tool is no longer consulted, so its effect counts as unknown. */
const UNJUDGED: CallVerdict = { kind: 'refuse', reason: 'too_late', output: TOO_LATE.output };

/** Outcome of a sub-agent that was still running when its caller ended. */
export const STOPPED_AGENT = {
  status: 'failed',
  output: 'the execution ended before this agent did',
  error: 'the execution ended before this agent did',
} as const;
