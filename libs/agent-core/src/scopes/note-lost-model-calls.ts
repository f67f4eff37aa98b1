import { ownStateOf } from '../execution-state.js';
import type { ScopeState } from '../scope-state.js';
import { lostModelCall, UNKNOWN_MODEL } from '../lost-model-call.js';
import { isInside, type ScopePath } from './scope-path.js';
import type { ScopeRun } from './scope-run.js';

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
