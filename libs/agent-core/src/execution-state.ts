import { applyToScope, withNewTime } from './apply-entry.js';
import type { JournalEntry } from './journal-entry.js';
import { EMPTY_SCOPE, type ScopeState } from './scope-state.js';
import { isDecision } from './taken-decisions.js';
import { lineOf, ROOT, type ScopePath } from './scopes/scope-path.js';

/** The root's state, plus the states of all inner scopes in the order in which they opened. */
export interface ExecutionState extends ScopeState {
  readonly children: ReadonlyMap<ScopePath, ScopeState>;
}

export const EMPTY_STATE: ExecutionState = { ...EMPTY_SCOPE, children: new Map() };

/**
 * The state of one scope. A cancellation of the execution holds in every scope, a reached deadline in all scopes inside
 * the late one.
 */
export function scopeOf(state: ExecutionState, path: ScopePath): ScopeState {
  if (path === ROOT) return state;
  const isLate = lineOf(path).some((scope) => ownStateOf(state, scope).isLate);
  return { ...ownStateOf(state, path), isCancelled: state.isCancelled, isLate };
}

/** The state of one scope from its own facts only. */
export function ownStateOf(state: ExecutionState, path: ScopePath): ScopeState {
  return path === ROOT ? state : (state.children.get(path) ?? EMPTY_SCOPE);
}

/** Every scope with its path, the root first. */
export function scopesOf(state: ExecutionState): (readonly [ScopePath, ScopeState])[] {
  return [[ROOT, state], ...state.children];
}

/** The only way to build state, for both live progress and crash recovery. */
export function foldEntries(
  entries: readonly JournalEntry[],
  from: ExecutionState = EMPTY_STATE,
): ExecutionState {
  return entries.reduce(applyEntry, from);
}

function applyEntry(state: ExecutionState, entry: JournalEntry): ExecutionState {
  const path = entry.scope ?? ROOT;
  if (path === ROOT) {
    const applied = applyToScope(state, entry);
    return isDecision(entry) ? withNewTimeEverywhere(applied) : applied;
  }
  const scope = applyToScope(state.children.get(path) ?? EMPTY_SCOPE, entry);
  const children = new Map(state.children).set(path, scope);
  return isDecision(entry) ? withNewTimeEverywhere({ ...state, children }) : { ...state, children };
}

function withNewTimeEverywhere(state: ExecutionState): ExecutionState {
  const children = [...state.children].map(([path, scope]) => [path, withNewTime(scope)] as const);
  return { ...withNewTime(state), children: new Map(children) };
}
