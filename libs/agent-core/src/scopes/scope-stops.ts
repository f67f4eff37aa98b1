import type { OpenedScope } from '#libs/tooling';
import { ownStateOf } from '../execution-state.js';
import type { JournalEntry } from '../journal-entry.js';
import { isCancelled, isLate, type LoopSignals, type StopReason } from '../stop-reason.js';
import { lineOf, ROOT, type ScopePath } from './scope-path.js';
import type { ScopeRun } from './scope-run.js';

/** The signal alone says that somebody wants the end, or that time is up: two clocks never decide one thing. */
export function noteStop({ ledger, parked, signals: { abort } }: ScopeRun): void {
  const facts: JournalEntry[] = [];
  if (isCancelled(abort) && !ledger.state.isCancelled) facts.push({ kind: 'cancellation_requested' });
  if (isLate(abort) && !ledger.state.isLate) facts.push({ kind: 'deadline_reached' });
  if (facts.length === 0) return;
  ledger.note(ROOT, facts);
  // What waited for a person may now end without one.
  parked.clear();
}

/** As of the execution's deadline, of a scope and those that it works for. */
export function noteTimeout(path: ScopePath, { ledger, parked, timeouts }: ScopeRun): void {
  for (const scope of lineOf(path)) {
    if (timeouts.get(scope)?.signal.aborted !== true || ownStateOf(ledger.state, scope).isLate) continue;
    ledger.note(scope, [{ kind: 'deadline_reached' }]);
    parked.clear();
  }
}

/** Those of the execution, and the time limits of the scope and those that it works for. */
export function signalsOf(path: ScopePath, { signals, timeouts }: ScopeRun): LoopSignals {
  const limits = lineOf(path).flatMap((scope) => timeouts.get(scope)?.signal ?? []);
  return limits.length === 0 ? signals : { ...signals, abort: AbortSignal.any([signals.abort, ...limits]) };
}

/**
 * Of a time limit, in milliseconds. It counts the time of the execution, which goes on when a worker dies and stands still
 * while the execution waits for something that the service owes it: a later attempt has no more of it than was left.
 */
function timeLeft(scope: ScopePath, limitMs: number, { ledger, ports }: ScopeRun): number {
  const { timeFrom } = ownStateOf(ledger.state, scope);
  if (timeFrom === null) return limitMs;
  const spentMs = (timeFrom === 'anew' ? ports.timeoutMs : timeFrom) - ports.remainingMs();
  return limitMs - Math.max(0, spentMs);
}

/** The deadline of the execution holds beside it. */
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
