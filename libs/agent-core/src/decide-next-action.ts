import type { JsonValue } from '#libs/kernel';
import { checkBudget, type Spending } from '#libs/policy';
import type { OpenedScope, ToolEffect } from '#libs/tooling';
import { asksOutcome, mustHalt, opensScope } from './begun-calls.js';
import { validateAnswer, validateEnd } from './answers/validate-answer.js';
import { fallbacksLeft, findSwitchReason } from './fallbacks/choose-fallback.js';
import type { SwitchReason } from './fallbacks/switch-reason.js';
import type { ExecutionOutcome, JournalEntry } from './journal-entry.js';
import { exhausted, outOfTime, partialText, unknownOutcome } from './round-endings.js';
import { keptAnswer } from './kept-answer.js';
import { decideNextStep } from './pipelines/decide-next-step.js';
import type { PipelineRules } from './pipelines/pipeline-rules.js';
import type { ScopeRules } from './scope-rules.js';
import type { ModelFailure, RoundState, ScopeState, ToolCallState } from './scope-state.js';
import { childPath } from './scopes/scope-path.js';
import { ALONE, addSpent, spentBy, type ScopeSurroundings } from './scopes/scope-surroundings.js';
import { settleWithoutRunning } from './settle-without-running.js';

export interface RunnableCall extends ToolCallState {
  readonly effect: ToolEffect;
  readonly input: JsonValue;
  /** Set if the call runs as a scope, i.e. a loop of its own. */
  readonly opens?: OpenedScope;
}

export type NextAction =
  /** The scope waits for a person's decision. */
  | { readonly kind: 'park' }
  /** No effect is needed: these facts follow from the state. */
  | { readonly kind: 'record'; readonly entries: readonly JournalEntry[] }
  | {
      readonly kind: 'call_model';
      readonly round: number;
      readonly failedTries: number;
      /** Whether a failure of this try ends the execution. */
      readonly isLastTry: boolean;
      /** The last failure of the round; null if there is none. */
      readonly failure: ModelFailure | null;
      /** Ids of the fallbacks that are left; absent without any. */
      readonly fallbacks?: readonly number[];
    }
  /** The scope leaves its model for the first of these that is usable. */
  | {
      readonly kind: 'switch_model';
      readonly round: number;
      readonly reason: SwitchReason;
      readonly fallbacks: readonly number[];
    }
  | { readonly kind: 'run_tools'; readonly calls: readonly RunnableCall[] }
  | { readonly kind: 'finish'; readonly outcome: ExecutionOutcome };

/**
 * Decides one scope at a time. Pure: there is no "resuming" flag and no clock; a reached deadline is a fact like any
 * other. It runs only while no effect of the scope is in flight. A started call without an outcome has therefore lost
 * its worker, or did not answer in time. A call that opens a scope is never lost: the scope resumes from its own facts,
 * and ends by itself when the execution is cancelled or late.
 */
export function decideNextAction(
  state: ScopeState,
  rules: ScopeRules,
  surroundings: ScopeSurroundings = ALONE,
): NextAction {
  if (state.outcome) return { kind: 'finish', outcome: state.outcome };

  const round = state.rounds.at(-1);
  const open = round?.calls.filter((call) => call.outcome === null) ?? [];
  const isAsking = !state.isCancelled && open.some((call) => asksOutcome(call, rules));
  // The clock stands still while a person is asked.
  const isLate = !isAsking && state.isLate;
  const halts = round?.calls.some((call) => mustHalt(call, rules)) ?? false;
  const isOver = isLate || halts || state.isCancelled;
  const withoutRunning = open.flatMap((call) =>
    settleWithoutRunning(call, { state, rules, surroundings, open, halts, isOver }),
  );
  if (withoutRunning.length > 0) return { kind: 'record', entries: withoutRunning };

  const isParked = (call: ToolCallState): boolean =>
    surroundings.parked.has(childPath(surroundings.path, call));
  const inside = open.filter((call) => call.started && opensScope(call, rules));
  const ending = isLate || state.isCancelled ? inside.filter((call) => !isParked(call)) : [];
  if (ending.length > 0)
    return { kind: 'run_tools', calls: ending.flatMap((call) => asRunnable(call, rules)) };
  if (state.isCancelled) return settle({ status: 'cancelled' });
  if (round && halts) return settle(unknownOutcome(round));
  // The outcome of a started call is settled before other calls of its round begin.
  if (isAsking || (isLate && inside.length > 0)) return { kind: 'park' };
  if (round !== undefined && isLastAnswer(round)) return record(validateAnswer(round, state, rules.answer));
  if (isLate) return settle(outOfTime(state));
  const runnable = open.filter((call) => call.approval.kind !== 'requested' && !isParked(call));
  if (runnable.length > 0)
    return { kind: 'run_tools', calls: nextOf(runnable.flatMap((call) => asRunnable(call, rules))) };
  if (open.length > 0) return { kind: 'park' };
  if (rules.pipeline !== undefined) return nextStep(state, rules, rules.pipeline, surroundings);
  // A rejected answer allows one round beyond the limit, in which the model repairs it.
  if (round && round.rejected === undefined && round.number >= rules.maximumIterations)
    return settle(exhausted(round, rules));
  return callModel(state, rules, surroundings);
}

/** True for an answer without tool calls that was not rejected; a pipeline step has no answer. */
function isLastAnswer({ calls, rejected, step }: RoundState): boolean {
  return calls.length === 0 && rejected === undefined && step === undefined;
}

/** Beginning a step requires budget; settling one costs nothing. */
function nextStep(
  state: ScopeState,
  rules: ScopeRules,
  pipeline: PipelineRules,
  surroundings: ScopeSurroundings,
): NextAction {
  const effectOf = (call: ToolCallState): ToolEffect | null => {
    const verdict = rules.verdictOf(call);
    return verdict.kind === 'run' ? verdict.effect : null;
  };
  const { path, scopes } = surroundings;
  const entries = decideNextStep(state, pipeline, { path, scopes, effectOf });
  if (entries.some(({ kind }) => kind === 'step_begun') && isBudgetSpent(state, rules, surroundings))
    return settle({ status: 'incomplete', reason: 'budget', text: partialText(state) });
  return record(...entries.map((entry) => validateEnd(entry, rules.answer)));
}

function callModel(state: ScopeState, rules: ScopeRules, surroundings: ScopeSurroundings): NextAction {
  const failure = state.modelFailures.at(-1);
  const failedTries = state.modelFailures.filter((one) => one.refusesHistory === undefined).length;
  const round = state.rounds.length + 1;
  const fallbacks = fallbacksLeft(state, rules.fallbacks);
  const reason = findSwitchReason(failure, failedTries, rules);
  if (reason !== null && fallbacks.length > 0) return { kind: 'switch_model', round, reason, fallbacks };
  const isFinal = failure?.retryable !== true || failedTries > rules.maxModelRetries;
  if (failure && failure.refusesHistory === undefined && isFinal) {
    return settle({ status: 'failed', error: failure.error });
  }
  if (failedTries === 0 && isBudgetSpent(state, rules, surroundings)) {
    return settle({ status: 'incomplete', reason: 'budget', text: partialText(state) });
  }
  return {
    kind: 'call_model',
    round,
    failedTries,
    isLastTry: failedTries >= rules.maxModelRetries,
    failure: failure ?? null,
    ...(fallbacks.length > 0 && { fallbacks }),
  };
}

/**
 * The spending of inner scopes counts against this scope's budget, and this scope also stops when a caller's budget is
 * spent.
 */
function isBudgetSpent(state: ScopeState, rules: ScopeRules, surroundings: ScopeSurroundings): boolean {
  const spent = addSpent(spentBy(state, rules.costOf), surroundings.spentInside);
  const spending: Spending = { ...spent, rounds: state.rounds.length };
  return surroundings.isCallersBudgetSpent || checkBudget(spending, rules.budget).kind === 'exceeded';
}

/**
 * All repeatable calls, else the first unsafe one. An outcome can end the execution, so no unsafe call begins before
 * the outcomes of the others are known.
 */
function nextOf(calls: readonly RunnableCall[]): readonly RunnableCall[] {
  const repeatable = calls.filter((call) => call.effect !== 'unsafe');
  return repeatable.length > 0 ? repeatable : calls.slice(0, 1);
}

function asRunnable(call: ToolCallState, rules: ScopeRules): RunnableCall[] {
  const verdict = rules.verdictOf(call);
  if (verdict.kind !== 'run') return [];
  const { effect, input, opens } = verdict;
  return [{ ...call, effect, input, ...(opens !== undefined && { opens }) }];
}

const settle = (outcome: ExecutionOutcome): NextAction => record({ kind: 'execution_settled', outcome });

/** Truncates the answers of outcomes to the storage limit. */
function record(...facts: readonly JournalEntry[]): NextAction {
  const entries = facts.map((fact) =>
    fact.kind === 'execution_settled' && 'text' in fact.outcome
      ? { ...fact, outcome: { ...fact.outcome, ...keptAnswer(fact.outcome.text) } }
      : fact,
  );
  return { kind: 'record', entries };
}
