import type { OpenedScope } from '#libs/tooling';
import { ownStateOf } from '../execution-state.js';
import type { JournalEntry } from '../journal-entry.js';
import { isCancelled, isLate, type LoopSignals, type StopReason } from '../stop-reason.js';
import { lineOf, ROOT, type ScopePath } from './scope-path.js';
import type { ScopeRun } from './scope-run.js';

/** Records a cancellation or deadline. Only the abort signal decides: two clocks could disagree. */
export function noteStop({ ledger, parked, signals: { abort } }: ScopeRun): void {
  const facts: JournalEntry[] = [];
  if (isCancelled(abort) && !ledger.state.isCancelled) facts.push({ kind: 'cancellation_requested' });
  if (isLate(abort) && !ledger.state.isLate) facts.push({ kind: 'deadline_reached' });
  if (facts.length === 0) return;
  ledger.note(ROOT, facts);
  // Parked scopes may now end without a person.
  parked.clear();
}

/** Records a reached time limit of the scope or of its callers. */
export function noteTimeout(path: ScopePath, { ledger, parked, timeouts }: ScopeRun): void {
  for (const scope of lineOf(path)) {
    if (timeouts.get(scope)?.signal.aborted !== true || ownStateOf(ledger.state, scope).isLate) continue;
    ledger.note(scope, [{ kind: 'deadline_reached' }]);
    parked.clear();
  }
}

/** Combines the execution's signals with the time limits of the scope and its callers. */
export function signalsOf(path: ScopePath, { signals, timeouts }: ScopeRun): LoopSignals {
  const limits = lineOf(path).flatMap((scope) => timeouts.get(scope)?.signal ?? []);
  return limits.length === 0 ? signals : { ...signals, abort: AbortSignal.any([signals.abort, ...limits]) };
}

/**
 * Milliseconds left of a scope's time limit. The limit counts the execution's own time, which continues after a crash
 * and stands still during waits that the service causes, so a later attempt has no more than was left.
 */
function timeLeft(scope: ScopePath, limitMs: number, { ledger, ports }: ScopeRun): number {
  const { timeFrom } = ownStateOf(ledger.state, scope);
  if (timeFrom === null) return limitMs;
  const spentMs = (timeFrom === 'anew' ? ports.timeoutMs : timeFrom) - ports.remainingMs();
  return limitMs - Math.max(0, spentMs);
}

/** Starts the scope's time limit, in addition to the execution's deadline. Returns the function that ends it. */
export function startTimeout(scope: ScopePath, limits: OpenedScope['limits'], run: ScopeRun): () => void {
  const { ports, timeouts } = run;
  if (limits?.timeoutMs === undefined) return () => undefined;
  const leftMs = timeLeft(scope, limits.timeoutMs, run);
  const [late, ended] = [new AbortController(), new AbortController()];
  timeouts.set(scope, late);
  if (leftMs <= 0) late.abort('deadline' satisfies StopReason);
  else
    void ports.wait(leftMs, ended.signal).then(() => {
      if (!ended.signal.aborted) late.abort('deadline' satisfies StopReason);
    });
  return () => {
    ended.abort();
    timeouts.delete(scope);
  };
}
