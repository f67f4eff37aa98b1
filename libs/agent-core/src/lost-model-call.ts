import { type ExecutionState, ownStateOf, scopesOf } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import type { ScopeState } from './scope-state.js';
import { isInside, ROOT, type ScopePath } from './scopes/scope-path.js';
import type { ScopeRun } from './scopes/scope-run.js';

/**
 * Records a model call that a lost attempt may have made, since its request has no usage row otherwise. The record may
 * be superfluous, because the attempt can be lost right before the call. It is never missing: the next attempt writes
 * it before it calls the model, so at most one call is unaccounted for.
 */
function lostModelCall(state: ScopeState, model: string): JournalEntry[] {
  return isTheModelsTurn(state) ? [{ kind: 'model_call_lost', round: state.rounds.length + 1, model }] : [];
}

/** Model name of a scope in which no model ever answered. */
export const UNKNOWN_MODEL = 'unknown';

/**
 * Records the lost model calls of every scope when the execution does not continue. A scope that never had an answer
 * does not know its model.
 */
export function lostModelCalls(state: ExecutionState, model: string): JournalEntry[] {
  return scopesOf(state).flatMap(([scope, ofScope]) => {
    if (scope === ROOT) return lostModelCall(ofScope, model);
    const lost = lostModelCall(ofScope, ofScope.preparation?.model ?? UNKNOWN_MODEL);
    return lost.map((entry) => ({ ...entry, scope }));
  });
}

/**
 * Whether the next action was a model call: no call is open, or the outcomes of open calls may lag behind. An end of
 * the execution, e.g. by its last permitted round, is committed together with its cause.
 */
function isTheModelsTurn({ rounds, steps, outcome, isCancelled, isLate }: ScopeState): boolean {
  if (outcome !== null || isCancelled || isLate) return false;
  const last = rounds.at(-1);
  // Pipeline steps call no model.
  if (steps.length > 0 || last?.step !== undefined) return false;
  if (last?.rejected !== undefined) return true;
  const calls = last?.calls;
  return (
    calls === undefined ||
    (calls.length > 0 && calls.every((call) => call.outcome !== null || call.outcomeMayLag))
  );
}

/**
 * Uses the scope's own state: a cancellation or deadline that came after the attempt was lost must not hide the lost
 * call.
 */
export function noteLostModelCall(path: ScopePath, model: string, { ledger, unaccounted }: ScopeRun): void {
  if (unaccounted.delete(path)) ledger.note(path, lostModelCall(ownStateOf(ledger.state, path), model));
}

/** Records the lost model calls of a scope and all scopes inside it when none of them continues. */
export function noteLostModelCallsWithin(path: ScopePath, run: ScopeRun): void {
  for (const scope of [...run.unaccounted]) {
    if (scope !== path && !isInside(scope, path)) continue;
    const { fallback, preparation } = ownStateOf(run.ledger.state, scope);
    noteLostModelCall(scope, fallback?.model ?? preparation?.model ?? UNKNOWN_MODEL, run);
  }
}

/**
 * Records the lost model calls of every scope with a model known to `modelOf`, since the next attempt may no longer
 * look for them.
 */
export function noteLostModelCalls(run: ScopeRun, modelOf: (scope: ScopeState) => string | null): void {
  for (const path of [...run.unaccounted]) {
    const model = modelOf(ownStateOf(run.ledger.state, path));
    if (model !== null) noteLostModelCall(path, model, run);
  }
}
