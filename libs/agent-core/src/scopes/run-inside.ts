import type { OpenedScope } from '#libs/tooling';
import type { RunnableCall } from '../decide-next-action.js';
import { stopwatch } from '../effects/run-tools.js';
import { scopeOf } from '../execution-state.js';
import type { ExecutionOutcome, JournalEntry, ScopeOpening, ToolCallOutcome } from '../journal-entry.js';
import type { EventSink } from '../ports/event-sink.js';
import type { ScopePlan } from '../ports/scope-planner.js';
import { evaluateOnce } from '../scope-rules.js';
import { noteLostModelCallsWithin } from '../lost-model-call.js';
import { isCancelled, mayStillWrite } from '../stop-reason.js';
import { outcomeOfScope, outcomeOfStopped, outcomeOfUnusable, stoppedOutcome } from './scope-outcome.js';
import { childPath, type ScopePath } from './scope-path.js';
import type { RunningPlan, ScopeResult, ScopeRun } from './scope-run.js';
import { signalsOf, startTimeout } from './scope-stops.js';
import { settleWhole } from './settle-leftovers.js';

/** Runs one scope; passed in because `runScope` and `runInside` call each other. */
type RunScope = (path: ScopePath, plan: RunningPlan, run: ScopeRun) => Promise<ScopeResult>;

/** Runs the scope of a call and settles the call with it. Returns false if the scope is parked or interrupted. */
export async function runInside(
  path: ScopePath,
  caller: Pick<RunningPlan, 'reporter'>,
  { call, opens }: { readonly call: RunnableCall; readonly opens: OpenedScope },
  run: ScopeRun,
  runScope: RunScope,
): Promise<boolean> {
  const { ledger, ports, parked } = run;
  const { round, position } = call;
  const scope = childPath(path, call);
  const timing = stopwatch(ports.clock);
  caller.reporter.callBegins(call);
  const { ending, outcome } = await outcomeInside(scope, path, call, opens, run, runScope);
  if (outcome === 'parked') parked.add(scope);
  if (outcome === 'parked' || outcome === 'interrupted') return false;
  caller.reporter.callEnds(call, outcome, []);
  ledger.note(path, [...ending, { kind: 'tool_call_settled', round, position, outcome, ...timing() }]);
  return true;
}

interface EndInside {
  readonly outcome: ToolCallOutcome | 'parked' | 'interrupted';
  /** Facts that settle the calls and scopes inside. */
  readonly ending: readonly JournalEntry[];
}

async function outcomeInside(
  scope: ScopePath,
  calling: ScopePath,
  { callId }: RunnableCall,
  opens: OpenedScope,
  run: ScopeRun,
  runScope: RunScope,
): Promise<EndInside> {
  const { ledger, ports, plans } = run;
  const { preparation, outcome: ended } = scopeOf(ledger.state, scope);
  const caller = scopeOf(ledger.state, calling).preparation;
  const request = { ...opens, scope, parentCallId: callId, preparation, caller };
  const events = ports.scopes.eventsOf(request);
  const ends = (status: ExecutionOutcome['status']): void => {
    events.emit({ event: 'subagent', data: { action: 'stop', agent_type: opens.name, status } });
  };
  if (ended !== null) {
    // An earlier attempt may not have emitted the end of the scope.
    if (!plans.has(scope)) ends(ended.status);
    return { outcome: outcomeOfScope(ended, opens), ending: [] };
  }
  announce(scope, opens, events, run);
  const endTimeout = startTimeout(scope, opens.limits, run);
  try {
    const signal = signalsOf(scope, run).abort;
    const plan = plans.get(scope) ?? asRunning(await ports.scopes.plan(request, signal));
    if (plan === 'stopped' && !mayStillWrite(signal)) return { outcome: 'interrupted', ending: [] };
    if (plan === null || plan === 'stopped') {
      noteLostModelCallsWithin(scope, run);
      const ended =
        plan === null ? UNUSABLE : stoppedOutcome(reasonOf(signal), scopeOf(ledger.state, scope), false);
      const ending = settleWhole(ledger.state, scope, () => ended);
      ends(ended.status);
      return { outcome: plan === null ? outcomeOfUnusable(ending) : outcomeOfStopped(ended, ending), ending };
    }
    const result = await runScope(scope, plan, run);
    if (result.kind !== 'finished') return { outcome: result.kind, ending: [] };
    plan.reporter.runEnds(result.outcome);
    ends(result.outcome.status);
    return { outcome: outcomeOfScope(result.outcome, opens), ending: [] };
  } finally {
    endTimeout();
  }
}

function asRunning(plan: ScopePlan | 'stopped' | null): RunningPlan | 'stopped' | null {
  return plan === null || plan === 'stopped' ? plan : { ...plan, rules: evaluateOnce(plan.rules) };
}

function reasonOf(signal: AbortSignal): 'cancelled' | 'deadline' {
  return isCancelled(signal) ? 'cancelled' : 'deadline';
}

/** Outcome of a scope with an unusable agent, as for a tool that no longer exists. */
const UNUSABLE = {
  status: 'failed',
  error: { code: 'VALIDATION_ERROR', message: 'the agent is gone, inactive or not usable' },
} as const;

/**
 * Emits the start of the scope. A restart makes subscribers drop the events of the previous attempt, and the start is
 * repeated because it may have been lost with the worker.
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
  const description = input.slice(0, MAX_DESCRIPTION);
  events.emit({ event: 'subagent', data: { action: 'start', agent_type: name, description } });
}

/** Maximum characters of the sub-agent's input that subscribers see. */
const MAX_DESCRIPTION = 500;
