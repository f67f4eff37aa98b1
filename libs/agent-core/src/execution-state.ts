import { applyToScope, withNewTime } from './apply-entry.js';
import type { JournalEntry } from './journal-entry.js';
import { EMPTY_SCOPE, type ScopeState } from './scope-state.js';
import { isDecision } from './taken-decisions.js';
import { lineOf, ROOT, type ScopePath } from './scopes/scope-path.js';

/** The state of the root, and beside it that of every scope inside, in the order in which they were opened. */
export interface ExecutionState extends ScopeState {
  readonly children: ReadonlyMap<ScopePath, ScopeState>;
}

export const EMPTY_STATE: ExecutionState = { ...EMPTY_SCOPE, children: new Map() };

/** The state of one scope. That the execution is cancelled holds in all of them; that a scope is late, in all inside it. */
export function scopeOf(state: ExecutionState, path: ScopePath): ScopeState {
  if (path === ROOT) return state;
  const isLate = lineOf(path).some((scope) => ownStateOf(state, scope).isLate);
  return { ...ownStateOf(state, path), isCancelled: state.isCancelled, isLate };
}

/** The same by its own facts alone. */
export function ownStateOf(state: ExecutionState, path: ScopePath): ScopeState {
  return path === ROOT ? state : (state.children.get(path) ?? EMPTY_SCOPE);
}

/** Every scope with its path, the root first. */
export function scopesOf(state: ExecutionState): (readonly [ScopePath, ScopeState])[] {
  return [[ROOT, state], ...state.children];
}

/** The only way state is made: live progress and crash recovery both come through here. */
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
