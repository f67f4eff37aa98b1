import { decideNextAction, type RunnableCall } from '../decide-next-action.js';
import { callModel } from '../effects/call-model.js';
import type { LoopPorts } from '../effects/loop-ports.js';
import { runTools, stopwatch, type CallingScope } from '../effects/run-tools.js';
import { ownStateOf, scopeOf, type ScopeState } from '../execution-state.js';
import type { OpenedScope } from '#libs/tooling';
import type { ExecutionOutcome, JournalEntry, ScopeOpening, ToolCallOutcome } from '../journal-entry.js';
import type { Ledger } from '../ledger.js';
import { lostModelCall, UNKNOWN_MODEL } from '../lost-model-call.js';
import type { EventSink } from '../ports/event-sink.js';
import type { ScopePlan } from '../ports/scope-planner.js';
import { reportAnswer, reportRoundEnd, reportSettled } from '../reporting/report-facts.js';
import { isCancelled, isLate, mayStillWrite, type LoopSignals, type StopReason } from '../stop-reason.js';
import { costRecorder } from './cost-recorder.js';
import { outcomeOfScope, outcomeOfUnusable } from './scope-outcome.js';
import { childPath, lineOf, ROOT, type ScopePath } from './scope-path.js';
import { surroundingsOf } from './scope-surroundings.js';
import { settleInside, settleWhole, STOPPED_AGENT } from './settle-leftovers.js';

/** What all scopes of one attempt share. */
export interface ScopeRun {
  readonly ledger: Ledger;
  readonly ports: LoopPorts;
  readonly signals: LoopSignals;
  /** Of the scopes that run and have a time limit of their own: aborted when it is reached. */
  readonly timeouts: Map<ScopePath, AbortController>;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** Scopes that earlier attempts left open, and that this one has not gone on with yet; the root is always one of them. */
  readonly leftOpen: Set<ScopePath>;
  /** Those of them that a lost attempt may have left while they asked their model, as long as that is not noted. */
  readonly unaccounted: Set<ScopePath>;
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
  const { ledger, ports, parked, plans } = run;
  const signals = signalsOf(path, run);
  plans.set(path, plan);
  noteLostModelCall(path, plan.context.model, run);
  if (path === ROOT) noteLostModelCalls(run, (scope) => scope.preparation?.model ?? null);
  const rulesOf = (of: ScopePath) => plans.get(of)?.rules;
  while (mayStillWrite(run.signals.abort)) {
    noteStop(run);
    noteTimeout(path, run);
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
      await runTools(action.calls, { ...callingScope(path, plan, run), signals });
      reportRoundEnd(scopeOf(ledger.state, path), plan.reporter);
    }
  }
  return { kind: 'interrupted' };
}

/** By now the execution may have been asked to end; when the attempt was lost, it had not. */
function noteLostModelCall(path: ScopePath, model: string, { ledger, unaccounted }: ScopeRun): void {
  if (unaccounted.delete(path)) ledger.note(path, lostModelCall(ownStateOf(ledger.state, path), model));
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

/** As of the execution's deadline, of a scope and those that it works for. */
function noteTimeout(path: ScopePath, { ledger, parked, timeouts }: ScopeRun): void {
  for (const scope of lineOf(path)) {
    if (timeouts.get(scope)?.signal.aborted !== true || ownStateOf(ledger.state, scope).isLate) continue;
    ledger.note(scope, [{ kind: 'deadline_reached' }]);
    parked.clear();
  }
}

/** Those of the execution, and the time limits of the scope and those that it works for. */
function signalsOf(path: ScopePath, { signals, timeouts }: ScopeRun): LoopSignals {
  const limits = lineOf(path).flatMap((scope) => timeouts.get(scope)?.signal ?? []);
  return limits.length === 0 ? signals : { ...signals, abort: AbortSignal.any([signals.abort, ...limits]) };
}

/** Counts anew in every attempt, whose own deadline holds beside it. */
function startTimeout(
  scope: ScopePath,
  limits: OpenedScope['limits'],
  { ports, timeouts }: ScopeRun,
): () => void {
  const ms = limits?.timeoutMs;
  if (ms === undefined) return () => undefined;
  const [late, ended] = [new AbortController(), new AbortController()];
  timeouts.set(scope, late);
  void ports.wait(ms, ended.signal).then(() => {
    if (!ended.signal.aborted) late.abort('deadline' satisfies StopReason);
  });
  return () => {
    ended.abort();
    timeouts.delete(scope);
  };
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
  run: ScopeRun,
): readonly JournalEntry[] {
  const { ledger } = run;
  if (ledger.state.children.size === 0) return entries;
  return entries.flatMap((entry) => {
    if (entry.kind !== 'execution_settled' || entry.outcome.status !== 'failed') return [entry];
    noteLostModelCalls(run, () => UNKNOWN_MODEL);
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

function callingScope(path: ScopePath, plan: ScopePlan, run: ScopeRun): Omit<CallingScope, 'signals'> {
  const { ledger, ports } = run;
  return {
    path,
    rules: plan.rules,
    ports: { ...ports, ...plan },
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
  { call, opens }: { readonly call: RunnableCall; readonly opens: OpenedScope },
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
  opens: OpenedScope,
  run: ScopeRun,
): Promise<EndInside> {
  const { ledger, ports, plans } = run;
  const { preparation, outcome: ended } = scopeOf(ledger.state, scope);
  const request = { ...opens, scope, parentCallId: callId, preparation };
  const events = ports.scopes.eventsOf(request);
  const ends = (status: ExecutionOutcome['status']): void => {
    events.emit({ event: 'subagent', data: { action: 'stop', agent_type: opens.name, status } });
  };
  if (ended !== null) {
    // Whether followers were notified nobody knows, unless it ended in this attempt.
    if (!plans.has(scope)) ends(ended.status);
    return { outcome: outcomeOfScope(ended), ending: [] };
  }
  announce(scope, opens, events, run);
  const plan = plans.get(scope) ?? (await ports.scopes.plan(request));
  if (plan === null) {
    noteLostModelCall(scope, preparation?.model ?? UNKNOWN_MODEL, run);
    const ending = settleWhole(ledger.state, scope, UNUSABLE);
    ends('failed');
    return { outcome: outcomeOfUnusable(ending), ending };
  }
  const endTimeout = startTimeout(scope, opens.limits, run);
  const result = await runScope(scope, plan, run).finally(endTimeout);
  if (result.kind !== 'finished') return { outcome: result.kind, ending: [] };
  plan.reporter.runEnds(result.outcome);
  ends(result.outcome.status);
  return { outcome: outcomeOfScope(result.outcome), ending: [] };
}

/** What it was called for cannot be had: as of a tool that has vanished. */
const UNUSABLE = { code: 'VALIDATION_ERROR', message: 'the agent is gone, inactive or not usable' } as const;

/**
 * Whoever follows drops what an attempt before has emitted of the scope, and that it began with it: the event may have
 * been lost
 * with its worker.
 */
function announce(scope: ScopePath, { name, input }: ScopeOpening, events: EventSink, run: ScopeRun): void {
  const { ledger, attempt, leftOpen, plans } = run;
  const isGoingOn = leftOpen.has(scope);
  if (!isGoingOn && plans.has(scope)) return;
  leftOpen.delete(scope);
  if (isGoingOn) {
    const round = scopeOf(ledger.state, scope).rounds.length + 1;
    events.emit({ event: 'attempt_restarted', data: { attempt, round } });
  }
  const description = input.slice(0, LONGEST_DESCRIPTION);
  events.emit({ event: 'subagent', data: { action: 'start', agent_type: name, description } });
}

/** Characters of what an agent is asked that its followers see. */
const LONGEST_DESCRIPTION = 500;
