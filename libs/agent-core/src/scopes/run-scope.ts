import { decideNextAction } from '../decide-next-action.js';
import { MAX_CALLS_PER_ROUND } from '../call-limits.js';
import type { LoopPorts } from '../effects/loop-ports.js';
import { readCalls } from '../effects/read-calls.js';
import { runTools, type CallingScope } from '../effects/run-tools.js';
import { ownStateOf, scopeOf } from '../execution-state.js';
import { askModel, costRecorder, modelOf, switchModel } from '../fallbacks/ask-model.js';
import type { RoundState, ScopeState, ToolCallState } from '../scope-state.js';
import type { JournalEntry } from '../journal-entry.js';
import type { Ledger } from '../ledger.js';
import type { ScopeRules } from '../scope-rules.js';
import { noteLostModelCall, noteLostModelCalls, UNKNOWN_MODEL } from '../lost-model-call.js';
import { reportAnswer, reportRoundEnd, reportSettled } from '../reporting/run-reporter.js';
import { mayStillWrite } from '../stop-reason.js';
import { hasEndedBadly } from '../settle-without-running.js';
import { answerForCaller } from './scope-outcome.js';
import { runInside } from './run-inside.js';
import { childPath, ROOT, type ScopePath } from './scope-path.js';
import type { RunningPlan, ScopeResult, ScopeRun } from './scope-run.js';
import { noteStop, noteTimeout, signalsOf } from './scope-stops.js';
import { surroundingsOf } from './scope-surroundings.js';
import { settleInside, STOPPED_AGENT } from './settle-leftovers.js';

/** Starts, continues or recovers a scope, all the same way, for the root and every inner scope. */
export async function runScope(path: ScopePath, plan: RunningPlan, run: ScopeRun): Promise<ScopeResult> {
  const opened = plan.model.open?.();
  try {
    return await turn(path, plan, run, opened ?? plan.model);
  } finally {
    opened?.close();
  }
}

async function turn(
  path: ScopePath,
  plan: RunningPlan,
  run: ScopeRun,
  model: LoopPorts['model'],
): Promise<ScopeResult> {
  const { ledger, ports, parked, plans } = run;
  const signals = signalsOf(path, run);
  plans.set(path, plan);
  if (plan.rules.pipeline === undefined)
    noteLostModelCall(path, modelOf(ownStateOf(ledger.state, path), plan.context.model), run);
  else run.unaccounted.delete(path);
  pinWhatWasRead(path, plan, run);
  if (path === ROOT)
    noteLostModelCalls(run, (scope) => scope.fallback?.model ?? scope.preparation?.model ?? null);
  const rulesOf = (of: ScopePath) => plans.get(of)?.rules;
  await evaluateOpenCalls(path, plan, run);
  while (mayStillWrite(run.signals.abort)) {
    noteStop(run);
    noteTimeout(path, run);
    const state = scopeOf(ledger.state, path);
    plan.rules.forget(endedWell(state.rounds.at(-2)));
    const action = decideNextAction(state, plan.rules, surroundingsOf(ledger.state, path, parked, rulesOf));
    if (action.kind === 'finish') return { kind: 'finished', outcome: action.outcome };
    if (action.kind === 'park') return { kind: 'parked' };
    if (action.kind === 'record') {
      const first = plan.rules.pipeline === undefined ? [] : prepared(state, plan, action.entries);
      const entries =
        path === ROOT ? action.entries : action.entries.map((entry) => answerForCaller(entry, plan.rules));
      ledger.note(path, [...first, ...withEndOfInside(entries, path, run)]);
      reportSettled(action.entries, scopeOf(ledger.state, path), plan.reporter);
      continue;
    }
    if (signals.drain.aborted) break;
    if (action.kind === 'switch_model') {
      const facts = [await switchModel(action, state, plan)];
      ledger.note(path, [...prepared(state, plan, facts), ...facts]);
    } else if (action.kind === 'call_model') {
      await ledger.commitFirm();
      const costOf = path === ROOT ? undefined : costRecorder(plan.rules);
      const now = scopeOf(ledger.state, path);
      const facts = await askModel(action, now, { ...plan, model }, ports, signals.abort, costOf);
      ledger.note(path, [...prepared(state, plan, facts), ...facts]);
      reportAnswer(action.round, scopeOf(ledger.state, path), plan.reporter);
      await evaluateOpenCalls(path, plan, run);
    } else {
      await runTools(action.calls, { ...callingScope(path, plan, run), signals });
      reportRoundEnd(scopeOf(ledger.state, path), plan.reporter);
    }
  }
  return { kind: 'interrupted' };
}

/** Evaluates large arguments one call at a time, before any decision depends on them. */
function evaluateOpenCalls(
  path: ScopePath,
  { rules }: RunningPlan,
  { ledger, ports }: ScopeRun,
): readonly unknown[] | Promise<unknown> {
  const calls = scopeOf(ledger.state, path).rounds.at(-1)?.calls.slice(0, MAX_CALLS_PER_ROUND) ?? [];
  const open = calls.filter(({ outcome }) => outcome === null);
  return readCalls(open, (call) => rules.verdictOf(call), ports);
}

/** Calls with a verdict that is no longer needed: later calls are compared only with calls that ended badly. */
function endedWell(round: RoundState | undefined): readonly ToolCallState[] {
  return round?.calls.filter(({ outcome }) => outcome !== null && !hasEndedBadly(outcome)) ?? [];
}

/**
 * Pins paid retrieval results and the form of attachments, so that no attempt repeats or changes them. The pin is
 * written beside the first model call, which does not wait for it: if the pin is lost, so is the model's answer.
 */
function pinWhatWasRead(path: ScopePath, { context }: RunningPlan, { ledger }: ScopeRun): void {
  const { preparation } = context;
  if (preparation === null || scopeOf(ledger.state, path).preparation !== null) return;
  if (preparation.retrieval === undefined && preparation.attachments === undefined) return;
  ledger.note(path, [{ kind: 'execution_prepared', ...preparation }], { mayLag: true });
}

/** The first fact of a scope, written with the first result of its model, so that it costs no commit of its own. */
function prepared(
  state: ScopeState,
  { context }: RunningPlan,
  facts: readonly JournalEntry[],
): JournalEntry[] {
  if (state.preparation !== null || context.preparation === null || facts.length === 0) return [];
  return [{ kind: 'execution_prepared', ...context.preparation }];
}

/** Settles everything open inside a scope that fails. */
function withEndOfInside(
  entries: readonly JournalEntry[],
  path: ScopePath,
  run: ScopeRun,
): readonly JournalEntry[] {
  const { ledger } = run;
  if (ledger.state.children.size === 0) return entries;
  return entries.flatMap((entry) => {
    if (entry.kind !== 'execution_settled' || entry.outcome.status !== 'failed') return [entry];
    const failed = entry.outcome;
    noteLostModelCalls(run, () => UNKNOWN_MODEL);
    return [...settleInside(ledger.state, path, () => failed), ...endOfOpenCalls(path, ledger), entry];
  });
}

/** Settles the calls that opened the settled scopes. */
function endOfOpenCalls(path: ScopePath, { state }: Ledger): JournalEntry[] {
  const calls = scopeOf(state, path).rounds.at(-1)?.calls ?? [];
  return calls
    .filter((call) => call.outcome === null && state.children.has(childPath(path, call)))
    .map(({ round, position }) => ({ kind: 'tool_call_settled', round, position, outcome: STOPPED_AGENT }));
}

/** Maximum calls in parallel: for a map step its own `concurrency`. */
function lanesOf({ pipeline, maxParallelToolCalls }: ScopeRules, { rounds }: ScopeState): number {
  const name = rounds.at(-1)?.step?.name;
  const step = pipeline?.steps.find((one) => one.name === name);
  return step?.kind === 'map' ? step.concurrency : maxParallelToolCalls;
}

function callingScope(path: ScopePath, plan: RunningPlan, run: ScopeRun): Omit<CallingScope, 'signals'> {
  const { ledger, ports, mayRunAhead } = run;
  return {
    path,
    mayRunAhead,
    rules: { maxParallelToolCalls: lanesOf(plan.rules, scopeOf(ledger.state, path)) },
    ports: { ...ports, ...plan },
    note: (entries, options) => {
      ledger.note(path, entries, options);
    },
    commit: () => ledger.commit(),
    commitBehind: () => {
      ledger.commitBehind();
    },
    runInside: (call, opens) => runInside(path, plan, { call, opens }, run, runScope),
    abortAll: (error) => {
      run.abortAll(error);
    },
  };
}
