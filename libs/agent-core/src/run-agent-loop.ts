import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import type { Passage } from '#libs/tooling';
import type { LoopPorts } from './effects/loop-ports.js';
import type { ExecutionContext } from './execution-context.js';
import { type ExecutionState, scopesOf } from './execution-state.js';
import type { ExecutionOutcome } from './journal-entry.js';
import { Ledger } from './ledger.js';
import type { LoopRules } from './loop-rules.js';
import { noteLostModelCalls, UNKNOWN_MODEL } from './lost-model-call.js';
import { type Journal, type JournalBatch, StagedChangeRefusedError } from './ports/journal.js';
import { LeaseLostError } from './ports/lease-lost-error.js';
import { passagesOf } from './retrieval/citations.js';
import { evaluateOnce, type ScopeRules } from './scope-rules.js';
import type { ScopeState, ToolCallState } from './scope-state.js';
import { runScope } from './scopes/run-scope.js';
import { callName, ROOT, type ScopePath } from './scopes/scope-path.js';
import type { RunningPlan, ScopeResult, ScopeRun } from './scopes/scope-run.js';
import { buildSettlement } from './settlement.js';
import { type LoopSignals, mayStillWrite, type StopReason } from './stop-reason.js';
import { toDecisionEvent } from './taken-decisions.js';

export type LoopResult =
  /** Waits for a person's decision; no worker holds the execution. */
  | { readonly kind: 'parked'; readonly view: ExecutionView }
  | {
      readonly kind: 'settled';
      readonly outcome: ExecutionOutcome;
      readonly view: ExecutionResult;
      /** Passages of documents that the models read. */
      readonly passages: readonly Passage[];
    }
  /** Stopped at a step boundary; the next attempt can resume from the journal. */
  | { readonly kind: 'interrupted' };

/**
 * Starts, continues or recovers an execution, all the same way. Facts are folded at once and committed before the next
 * effect begins, so that a fact and the intent derived from it share one transaction.
 */
export async function runAgentLoop(
  context: ExecutionContext,
  rules: LoopRules,
  ports: LoopPorts,
  signals: LoopSignals,
): Promise<LoopResult> {
  const ledger = await Ledger.open(ports.journal);
  if (context.attempt > 1) {
    const round = ledger.state.rounds.length + 1;
    ports.events.emit({ event: 'attempt_restarted', data: { attempt: context.attempt, round } });
  }
  for (const decision of ledger.decisions) ports.events.emit(toDecisionEvent(decision));
  const run = openRun(ledger, context, ports, signals);
  const { model, fallbacks, tools, events, reporter } = ports;
  const plan = {
    ...{ context, rules: evaluateOnce(rules), model, tools, events, reporter },
    ...(fallbacks !== undefined && { fallbacks }),
  };
  const result = await runRoot(plan, run);
  switch (result.kind) {
    case 'finished': {
      reporter.runEnds(result.outcome);
      const last = await ledger.close();
      const settled = await settleRun(ports.journal, last, context, rules, ledger.state, result.outcome);
      return { kind: 'settled', ...settled, passages: passagesOf(ledger.state) };
    }
    case 'parked': {
      noteLostModelCalls(run, () => UNKNOWN_MODEL);
      const calls = pendingCalls(ledger.state, run);
      const view = await ports.journal.park(await ledger.close(), calls);
      return { kind: 'parked', view };
    }
    case 'interrupted':
      noteLostModelCalls(run, () => UNKNOWN_MODEL);
      if (mayStillWrite(run.signals.abort)) await ledger.commitLast();
      else await ledger.flushOnStop();
      return { kind: 'interrupted' };
  }
}

/** If one scope throws, the facts that parallel scopes have noted are flushed before the attempt ends. */
async function runRoot(plan: RunningPlan, run: ScopeRun): Promise<ScopeResult> {
  try {
    return await runScope(ROOT, plan, run);
  } catch (error) {
    noteLostModelCalls(run, () => UNKNOWN_MODEL);
    await run.ledger.flushOnStop().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens the shared run of all scopes. A scope that throws stops the others: they abort calls in flight if the lease is
 * lost, else they finish them.
 */
function openRun(
  ledger: Ledger,
  { attempt, followsLostAttempt, isSuspect }: ExecutionContext,
  ports: LoopPorts,
  signals: LoopSignals,
): ScopeRun {
  const [halt, lost] = [new AbortController(), new AbortController()];
  const open = scopesOf(ledger.state).flatMap(([path, scope]) => (scope.outcome ? [] : [path]));
  return {
    ledger,
    ports,
    attempt,
    signals: {
      drain: AbortSignal.any([signals.drain, halt.signal]),
      abort: AbortSignal.any([signals.abort, lost.signal]),
    },
    mayRunAhead: !isSuspect,
    leftOpen: new Set(open),
    unaccounted: new Set(followsLostAttempt ? open : []),
    timeouts: new Map(),
    parked: new Set(),
    plans: new Map(),
    abortAll: (error) => {
      if (error instanceof LeaseLostError) lost.abort('lease_lost' satisfies StopReason);
      else halt.abort();
    },
  };
}

/** The pending calls of all scopes, since a person decides for the whole execution. */
function pendingCalls(state: ExecutionState, { plans }: ScopeRun): PendingCall[] {
  return scopesOf(state).flatMap(([path, scope]) => {
    const rules = plans.get(path)?.rules;
    return rules === undefined || scope.outcome !== null ? [] : pendingCallsOf(path, scope, rules);
  });
}

function pendingCallsOf(path: ScopePath, state: ScopeState, rules: ScopeRules): PendingCall[] {
  const open = (state.rounds.at(-1)?.calls ?? []).filter((call) => call.outcome === null);
  return open.flatMap((call): PendingCall[] => {
    const asks = whatAsks(call);
    if (asks === null) return [];
    const verdict = rules.verdictOf(call);
    const tool_input = verdict.kind === 'run' ? verdict.input : null;
    const scope = path === ROOT ? {} : { scope: path };
    const because = call.approval.kind === 'requested' ? call.approval.because : undefined;
    const reason = because === undefined ? {} : { reason: because };
    return [{ call: callName(path, call), ...scope, asks, ...reason, tool_name: call.toolName, tool_input }];
  });
}

function whatAsks(call: ToolCallState): PendingCall['asks'] | null {
  if (call.inquiry.kind === 'asked') return 'outcome';
  return call.approval.kind === 'requested' ? 'approval' : null;
}

/**
 * Settles a run. `batch` ends with the fact of its end. If a staged change is refused, the run settles as `failed`
 * instead, with all its other facts. Returns the outcome and the settled execution.
 */
async function settleRun(
  journal: Journal,
  batch: JournalBatch,
  context: ExecutionContext,
  rules: LoopRules,
  state: ExecutionState,
  outcome: ExecutionOutcome,
): Promise<{ readonly outcome: ExecutionOutcome; readonly view: ExecutionResult }> {
  try {
    const view = await journal.settle(batch, buildSettlement(context, rules, state, outcome));
    return { outcome, view };
  } catch (error) {
    if (!(error instanceof StagedChangeRefusedError)) throw error;
    const { code, message } = error;
    const refused = { status: 'failed', error: { code, message } } as const;
    const settlement = buildSettlement(context, rules, state, refused);
    const view = await journal.settle(endingAs(refused, batch), settlement);
    return { outcome: refused, view };
  }
}

function endingAs(outcome: ExecutionOutcome, batch: JournalBatch): JournalBatch {
  const entries = batch.entries.map((entry) =>
    entry.kind === 'execution_settled' ? { ...entry, outcome } : entry,
  );
  return { ...batch, entries };
}
