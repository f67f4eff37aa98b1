import { decideNextAction, type RunnableCall } from '../decide-next-action.js';
import { callModel } from '../effects/call-model.js';
import type { LoopPorts } from '../effects/loop-ports.js';
import { runTools, stopwatch, type CallingScope } from '../effects/run-tools.js';
import { scopeOf, type ScopeState } from '../execution-state.js';
import type { ExecutionOutcome, JournalEntry, ScopeOpening, ToolCallOutcome } from '../journal-entry.js';
import type { Ledger } from '../ledger.js';
import { lostModelCall } from '../lost-model-call.js';
import type { ScopePlan } from '../ports/scope-planner.js';
import { reportAnswer, reportRoundEnd, reportSettled } from '../reporting/report-facts.js';
import { isCancelled, isLate, mayStillWrite, type LoopSignals } from '../stop-reason.js';
import { costRecorder } from './cost-recorder.js';
import { outcomeOfScope, outcomeOfUnusable } from './scope-outcome.js';
import { childPath, ROOT, type ScopePath } from './scope-path.js';
import { surroundingsOf } from './scope-surroundings.js';
import { settleInside, settleWhole, STOPPED_AGENT } from './settle-leftovers.js';

/** What all scopes of one attempt share. */
export interface ScopeRun {
  readonly ledger: Ledger;
  readonly ports: LoopPorts;
  readonly signals: LoopSignals;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** Scopes that earlier attempts left open, and that this one has not gone on with yet; the root is always one of them. */
  readonly leftOpen: Set<ScopePath>;
  /** Scopes that only a person brings further, as far as was seen since the last stop signal. */
  readonly parked: Set<ScopePath>;
  /** Of the scopes that run. */
  readonly plans: Map<ScopePath, ScopePlan>;
  breakOff(error: unknown): void;
}

export type ScopeResult =
  | { readonly kind: 'finished'; readonly outcome: ExecutionOutcome }
  /** Waits for a person's decisions. */
  | { readonly kind: 'parked' }
  /** Stopped at a boundary. */
  | { readonly kind: 'interrupted' };

/** Starting, continuing and recovering are the same call, for the root as for every scope inside. */
export async function runScope(path: ScopePath, plan: ScopePlan, run: ScopeRun): Promise<ScopeResult> {
  const { ledger, ports, signals, parked, plans } = run;
  plans.set(path, plan);
  if (run.leftOpen.delete(path) && plan.context.followsLostAttempt)
    ledger.note(path, lostModelCall(scopeOf(ledger.state, path), plan.context.model));
  const rulesOf = (of: ScopePath) => plans.get(of)?.rules;
  while (mayStillWrite(signals.abort)) {
    noteStop(run);
    const state = scopeOf(ledger.state, path);
    const action = decideNextAction(state, plan.rules, surroundingsOf(ledger.state, path, parked, rulesOf));
    if (action.kind === 'finish') return { kind: 'finished', outcome: action.outcome };
    if (action.kind === 'park') return { kind: 'parked' };
    if (action.kind === 'record') {
      ledger.note(path, withEndOfInside(action.entries, path, run));
      reportSettled(action.entries, scopeOf(ledger.state, path), plan.reporter);
      continue;
    }
    if (signals.drain.aborted) break;
    if (action.kind === 'call_model') {
      await ledger.commit();
      const scopePorts = { ...ports, ...plan };
      const costOf = path === ROOT ? undefined : costRecorder(plan.rules);
      const facts = await callModel(
        action,
        scopeOf(ledger.state, path),
        plan.context,
        scopePorts,
        signals.abort,
        costOf,
      );
      ledger.note(path, [...prepared(state, plan, facts), ...facts]);
      reportAnswer(action.round, scopeOf(ledger.state, path), plan.reporter);
    } else {
      await runTools(action.calls, callingScope(path, plan, run));
      reportRoundEnd(scopeOf(ledger.state, path), plan.reporter);
    }
  }
  return { kind: 'interrupted' };
}

/** The signal alone says that somebody wants the end, or that time is up: two clocks never decide one thing. */
function noteStop({ ledger, parked, signals: { abort } }: ScopeRun): void {
  const facts: JournalEntry[] = [];
  if (isCancelled(abort) && !ledger.state.isCancelled) facts.push({ kind: 'cancellation_requested' });
  if (isLate(abort) && !ledger.state.isLate) facts.push({ kind: 'deadline_reached' });
  if (facts.length === 0) return;
  ledger.note(ROOT, facts);
  // What waited for a person may now end without one.
  parked.clear();
}

/** The first fact of the scope stands before what its model was first seen to do: it costs no commit of its own. */
function prepared(state: ScopeState, { context }: ScopePlan, facts: readonly JournalEntry[]): JournalEntry[] {
  if (state.preparation !== null || context.preparation === null || facts.length === 0) return [];
  return [{ kind: 'execution_prepared', ...context.preparation }];
}

/** A scope that fails leaves nothing open inside. */
function withEndOfInside(
  entries: readonly JournalEntry[],
  path: ScopePath,
  { ledger }: ScopeRun,
): readonly JournalEntry[] {
  if (ledger.state.children.size === 0) return entries;
  return entries.flatMap((entry) => {
    if (entry.kind !== 'execution_settled' || entry.outcome.status !== 'failed') return [entry];
    return [...settleInside(ledger.state, path, entry.outcome.error), ...endOfOpenCalls(path, ledger), entry];
  });
}

/** Of the calls whose scopes end with this one. */
function endOfOpenCalls(path: ScopePath, { state }: Ledger): JournalEntry[] {
  const calls = scopeOf(state, path).rounds.at(-1)?.calls ?? [];
  return calls
    .filter((call) => call.outcome === null && state.children.has(childPath(path, call)))
    .map(({ round, position }) => ({ kind: 'tool_call_settled', round, position, outcome: STOPPED_AGENT }));
}

function callingScope(path: ScopePath, plan: ScopePlan, run: ScopeRun): CallingScope {
  const { ledger, ports, signals } = run;
  return {
    path,
    rules: plan.rules,
    ports: { ...ports, ...plan },
    signals,
    note: (entries) => {
      ledger.note(path, entries);
    },
    commit: () => ledger.commit(),
    runInside: (call, opens) => runInside(path, plan, { call, opens }, run),
    breakOff: (error) => {
      run.breakOff(error);
    },
  };
}

/** Runs the loop of a call; where that has ended, so has the call. */
async function runInside(
  path: ScopePath,
  caller: ScopePlan,
  { call, opens }: { readonly call: RunnableCall; readonly opens: ScopeOpening },
  run: ScopeRun,
): Promise<boolean> {
  const { ledger, ports, parked } = run;
  const { round, position } = call;
  const scope = childPath(path, call);
  const timing = stopwatch(ports.clock);
  caller.reporter.callBegins(call);
  const { ending, outcome } = await outcomeInside(scope, call, opens, run);
  if (outcome === 'parked') parked.add(scope);
  if (outcome === 'parked' || outcome === 'interrupted') return false;
  caller.reporter.callEnds(call, outcome, []);
  ledger.note(path, [...ending, { kind: 'tool_call_settled', round, position, outcome, ...timing() }]);
  return true;
}

interface EndInside {
  readonly outcome: ToolCallOutcome | 'parked' | 'interrupted';
  /** What has to be settled inside, since nobody else will. */
  readonly ending: readonly JournalEntry[];
}

async function outcomeInside(
  scope: ScopePath,
  { callId }: RunnableCall,
  opens: ScopeOpening,
  run: ScopeRun,
): Promise<EndInside> {
  const { ledger, ports, plans } = run;
  const { preparation, outcome: ended } = scopeOf(ledger.state, scope);
  if (ended !== null) return { outcome: outcomeOfScope(ended), ending: [] };
  const request = { ...opens, scope, parentCallId: callId, preparation };
  const plan = plans.get(scope) ?? (await ports.scopes.plan(request));
  if (plan === null) {
    const ending = settleWhole(ledger.state, scope, {
      code: 'AGENT_UNUSABLE',
      message: 'the agent cannot be run',
    });
    return { outcome: outcomeOfUnusable(ending), ending };
  }
  announce(scope, opens, plan, run);
  const result = await runScope(scope, plan, run);
  if (result.kind !== 'finished') return { outcome: result.kind, ending: [] };
  plan.reporter.runEnds(result.outcome);
  plan.events.emit({
    event: 'subagent',
    data: { action: 'stop', agent_type: opens.name, status: result.outcome.status },
  });
  return { outcome: outcomeOfScope(result.outcome), ending: [] };
}

/** Whoever follows drops what an attempt that died had emitted of the scope. */
function announce(
  scope: ScopePath,
  { name, input }: ScopeOpening,
  { events }: ScopePlan,
  run: ScopeRun,
): void {
  const { ledger, attempt, leftOpen, plans } = run;
  if (leftOpen.has(scope)) {
    const round = scopeOf(ledger.state, scope).rounds.length + 1;
    events.emit({ event: 'attempt_restarted', data: { attempt, round } });
  } else if (!plans.has(scope)) {
    const description = input.slice(0, LONGEST_DESCRIPTION);
    events.emit({ event: 'subagent', data: { action: 'start', agent_type: name, description } });
  }
}

/** Characters of what an agent is asked that its followers see. */
const LONGEST_DESCRIPTION = 500;
