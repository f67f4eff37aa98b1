import { ownStateOf } from '../execution-state.js';
import type { ScopeState } from '../scope-state.js';
import { lostModelCall, UNKNOWN_MODEL } from '../lost-model-call.js';
import { isInside, type ScopePath } from './scope-path.js';
import type { ScopeRun } from './scope-run.js';

/** By now the execution may have been asked to end; when the attempt was lost, it had not. */
export function noteLostModelCall(path: ScopePath, model: string, { ledger, unaccounted }: ScopeRun): void {
  if (unaccounted.delete(path)) ledger.note(path, lostModelCall(ownStateOf(ledger.state, path), model));
}

/** The same of a scope and every one inside it, where nobody goes on with any of them. */
export function noteLostModelCallsWithin(path: ScopePath, run: ScopeRun): void {
  for (const scope of [...run.unaccounted]) {
    if (scope !== path && !isInside(scope, path)) continue;
    noteLostModelCall(scope, ownStateOf(run.ledger.state, scope).preparation?.model ?? UNKNOWN_MODEL, run);
  }
}

/**
 * The same of every scope of which `modelOf` knows the model: whoever follows this attempt may not have to look for
 * it any more.
 */
export function noteLostModelCalls(run: ScopeRun, modelOf: (scope: ScopeState) => string | null): void {
  for (const path of [...run.unaccounted]) {
    const model = modelOf(ownStateOf(run.ledger.state, path));
    if (model !== null) noteLostModelCall(path, model, run);
  }
}
