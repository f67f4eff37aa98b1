import { scopesOf, type ExecutionState } from './execution-state.js';
import type { ScopeState } from './scope-state.js';
import type { JournalEntry } from './journal-entry.js';
import { ROOT } from './scopes/scope-path.js';

/**
 * The fact to begin with after a lost attempt, where it may have been asking the model: its request has no usage row
 * otherwise. It may say too much, since the attempt can have been lost right before it asked, and never too little: whoever
 * takes over records it before asking again, so that at most one call is unaccounted for.
 */
export function lostModelCall(state: ScopeState, model: string): JournalEntry[] {
  return isTheModelsTurn(state) ? [{ kind: 'model_call_lost', round: state.rounds.length + 1, model }] : [];
}

/** Of a scope whose model never answered. */
export const UNKNOWN_MODEL = 'unknown';

/**
 * The same of every scope, where nobody goes on with any of them. A scope whose model never answered does not say
 * which it is.
 */
export function lostModelCalls(state: ExecutionState, model: string): JournalEntry[] {
  return scopesOf(state).flatMap(([scope, ofScope]) => {
    if (scope === ROOT) return lostModelCall(ofScope, model);
    const lost = lostModelCall(ofScope, ofScope.preparation?.model ?? UNKNOWN_MODEL);
    return lost.map((entry) => ({ ...entry, scope }));
  });
}

/**
 * Nothing is open and nothing has ended, or what is open may have ended without anybody having waited for that to be
 * written. What ends an execution instead, such as its last permitted round, is committed together with its end.
 */
function isTheModelsTurn({ rounds, steps, outcome, isCancelled, isLate }: ScopeState): boolean {
  if (outcome !== null || isCancelled || isLate) return false;
  const last = rounds.at(-1);
  // No model is asked for the steps of a pipeline.
  if (steps.length > 0 || last?.step !== undefined) return false;
  if (last?.rejected !== undefined) return true;
  const calls = last?.calls;
  return (
    calls === undefined ||
    (calls.length > 0 && calls.every((call) => call.outcome !== null || call.outcomeMayLag))
  );
}
