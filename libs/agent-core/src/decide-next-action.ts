import type { JsonValue } from '#libs/kernel';
import { checkBudget, type Spending } from '#libs/policy';
import {
  agentCallLimitText,
  agentDepthLimitText,
  changedToolText,
  checkRepeat,
  iterationLimitText,
  type EarlierCall,
  type OpenedScope,
  type RefusalReason,
  type ToolEffect,
} from '#libs/tooling';
import {
  abandoned,
  asksOutcome,
  followUnknown,
  isRepeatable,
  mustHalt,
  opens,
  opensScope,
} from './begun-calls.js';
import { refused, settled } from './call-facts.js';
import { beyondCallLimits } from './call-limits.js';
import type { RoundState, ScopeState, ToolCallState } from './execution-state.js';
import type { ExecutionOutcome, JournalEntry } from './journal-entry.js';
import { keptAnswer } from './kept-answer.js';
import type { LoopRules } from './loop-rules.js';
import { ALONE, addSpent, spentBy, type ScopeSurroundings } from './scopes/scope-surroundings.js';
import { childPath, depthOf, MAX_CHILD_SCOPES, MAX_SCOPE_DEPTH } from './scopes/scope-path.js';
import { TOO_LATE } from './too-late.js';

export interface RunnableCall extends ToolCallState {
  readonly effect: ToolEffect;
  readonly input: JsonValue;
  /** Set where the call is run as a loop of its own. */
  readonly opens?: OpenedScope;
}

export type NextAction =
  /** Only a person's decision can bring it further. */
  | { readonly kind: 'park' }
  /** Nothing has to happen: these facts follow from the state. */
  | { readonly kind: 'record'; readonly entries: readonly JournalEntry[] }
  | {
      readonly kind: 'call_model';
      readonly round: number;
      readonly failedTries: number;
      /** Whether a failure of this one ends the execution. */
      readonly isLastTry: boolean;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'run_tools'; readonly calls: readonly RunnableCall[] }
  | { readonly kind: 'finish'; readonly outcome: ExecutionOutcome };

/**
 * Pure, one scope at a time. Called only while no effect of the scope is in flight, so a call that is started but not
 * settled is one that nobody knows the outcome of: its worker died, or it did not answer in time. There is no
 * "resuming" flag, and no clock: that time is up is a fact like any other. A call that runs as a loop of its own is
 * never lost: it goes on from its own facts, and ends by itself when the execution is cancelled or late.
 */
export function decideNextAction(
  state: ScopeState,
  rules: LoopRules,
  surroundings: ScopeSurroundings = ALONE,
): NextAction {
  if (state.outcome) return { kind: 'finish', outcome: state.outcome };

  const round = state.rounds.at(-1);
  const open = round?.calls.filter((call) => call.outcome === null) ?? [];
  const isAsking = !state.isCancelled && open.some((call) => asksOutcome(call, rules));
  // While a person is asked, time does not run.
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
  // What became of a call is known before anything else of its round begins.
  if (isAsking || (isLate && inside.length > 0)) return { kind: 'park' };
  if (round?.calls.length === 0) return settle(answered(round));
  if (isLate) return settle({ status: 'incomplete', reason: 'timeout', text: partialText(state) });
  const runnable = open.filter((call) => call.approval.kind !== 'requested' && !isParked(call));
  if (runnable.length > 0)
    return { kind: 'run_tools', calls: nextOf(runnable.flatMap((call) => asRunnable(call, rules))) };
  if (open.length > 0) return { kind: 'park' };
  if (round && round.number >= rules.maximumIterations) return settle(exhausted(round, rules));
  return callModel(state, rules, surroundings);
}

function callModel(state: ScopeState, rules: LoopRules, surroundings: ScopeSurroundings): NextAction {
  const failure = state.modelFailures.at(-1);
  const failedTries = state.modelFailures.length;
  if (failure && (!failure.retryable || failedTries > rules.maxModelRetries)) {
    return settle({ status: 'failed', error: failure.error });
  }
  if (failedTries === 0 && isBudgetSpent(state, rules, surroundings)) {
    return settle({ status: 'incomplete', reason: 'budget', text: partialText(state) });
  }
  return {
    kind: 'call_model',
    round: state.rounds.length + 1,
    failedTries,
    isLastTry: failedTries >= rules.maxModelRetries,
    retryAfterMs: failure?.retryAfterMs ?? null,
  };
}

interface Round {
  readonly state: ScopeState;
  readonly rules: LoopRules;
  readonly surroundings: ScopeSurroundings;
  readonly open: readonly ToolCallState[];
  /** A call of it has ended in a way that ends the execution. */
  readonly halts: boolean;
  /** None of its calls begins any more. */
  readonly isOver: boolean;
}

function settleWithoutRunning(call: ToolCallState, round: Round): JournalEntry[] {
  const { state, rules, surroundings, halts, isOver } = round;
  const verdict = rules.judge(call);
  if (call.started && opens(verdict)) return [];
  if (call.started && !isRepeatable(verdict)) return followUnknown(call, verdict, state.isCancelled || halts);
  const beyond = call.started ? null : beyondCallLimits(call, state, surroundings.callsElsewhere);
  if (beyond !== null) return [refused(call, beyond.reason, beyond.output)];
  if (verdict.kind === 'refuse') return [refused(call, verdict.reason, verdict.output)];
  if (call.started) return isOver ? [abandoned(call, verdict)] : [];
  if (rules.changedTools.has(call.toolName))
    return [refused(call, 'unknown_tool', changedToolText(call.toolName))];
  if (call.approval.kind === 'denied') return [refused(call, 'denied', deniedText(call.approval.reason))];
  const repeat = checkRepeat(
    { toolName: call.toolName, input: verdict.input },
    badlyEndedCalls(state, rules),
  );
  if (repeat.kind === 'repeat') {
    const { reason, output, original } = repeat;
    return [settled(call, { status: 'refused', reason, output, original })];
  }
  if (isOver) return [settled(call, TOO_LATE)];
  if (isBeyondLimit(call.round, rules)) {
    return [refused(call, 'iteration_limit', iterationLimitText(call.toolName, rules.maximumIterations))];
  }
  const tooMany = opens(verdict) ? beyondScopeLimits(call, round) : null;
  if (tooMany !== null) return [refused(call, tooMany.reason, tooMany.output)];
  if (verdict.needsApproval === true && call.approval.kind === 'none') {
    return [{ kind: 'approval_requested', round: call.round, position: call.position }];
  }
  return [];
}

/** May one more agent be called, from here? Those that stand before it in the round come first. */
function beyondScopeLimits(
  call: ToolCallState,
  { open, rules, surroundings }: Round,
): { readonly reason: RefusalReason; readonly output: string } | null {
  if (depthOf(surroundings.path) >= MAX_SCOPE_DEPTH)
    return { reason: 'agent_depth_limit', output: agentDepthLimitText(MAX_SCOPE_DEPTH) };
  const before = open.filter(
    (other) => other.position < call.position && !other.started && opensScope(other, rules),
  );
  if (surroundings.opened + before.length >= MAX_CHILD_SCOPES)
    return { reason: 'agent_call_limit', output: agentCallLimitText(MAX_CHILD_SCOPES) };
  return null;
}

/** Calls of this run that an equal one must not repeat (S0-38). */
function* badlyEndedCalls(state: ScopeState, rules: LoopRules): Generator<EarlierCall> {
  for (const call of state.rounds.flatMap((round) => round.calls)) {
    if (call.outcome?.status !== 'failed' && call.outcome?.status !== 'outcome_unknown') continue;
    const verdict = rules.judge(call);
    const { status, output } = call.outcome;
    if (verdict.kind === 'run') yield { toolName: call.toolName, input: verdict.input, status, output };
  }
}

/** What a scope calls spends of its budget too; and it may spend no more than those that it works for have left. */
function isBudgetSpent(state: ScopeState, rules: LoopRules, surroundings: ScopeSurroundings): boolean {
  const spent = addSpent(spentBy(state, rules.costOf), surroundings.spentInside);
  const spending: Spending = { ...spent, rounds: state.rounds.length };
  return surroundings.isCallersBudgetSpent || checkBudget(spending, rules.budget).kind === 'exceeded';
}

/** In the last permitted round nobody would read the answers; a single round is the exception (S0-14). */
function isBeyondLimit(round: number, rules: LoopRules): boolean {
  return rules.maximumIterations > 1 && round >= rules.maximumIterations;
}

/**
 * Those that may be repeated, else the first that may not: how a call ended can end the execution, and no unsafe one
 * begins before that is decided.
 */
function nextOf(calls: readonly RunnableCall[]): readonly RunnableCall[] {
  const repeatable = calls.filter((call) => call.effect !== 'unsafe');
  return repeatable.length > 0 ? repeatable : calls.slice(0, 1);
}

function asRunnable(call: ToolCallState, rules: LoopRules): RunnableCall[] {
  const verdict = rules.judge(call);
  if (verdict.kind !== 'run') return [];
  const { effect, input, opens } = verdict;
  return [{ ...call, effect, input, ...(opens !== undefined && { opens }) }];
}

function answered(round: RoundState): ExecutionOutcome {
  const { text, incompleteReason } = round.answer;
  return incompleteReason
    ? { status: 'incomplete', reason: incompleteReason, text }
    : { status: 'completed', text };
}

function exhausted(round: RoundState, rules: LoopRules): ExecutionOutcome {
  const outputs = round.calls.map((call) => call.outcome?.output ?? '');
  const text = rules.maximumIterations === 1 ? outputs.join('\n') : round.answer.text;
  return { status: 'incomplete', reason: 'max_iterations', text };
}

function unknownOutcome(round: RoundState): ExecutionOutcome {
  const names = round.calls
    .filter((call) => call.outcome?.status === 'outcome_unknown')
    .map((call) => call.toolName);
  const message = `it is not known whether these tool calls took effect: ${names.join(', ')}`;
  return { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN', message } };
}

function partialText(state: ScopeState): string {
  return state.interruptedText || (state.rounds.at(-1)?.answer.text ?? '');
}

function deniedText(reason: string): string {
  return reason === '' ? 'a person refused this call' : `a person refused this call: ${reason}`;
}

const settle = (outcome: ExecutionOutcome): NextAction => ({
  kind: 'record',
  entries: [
    {
      kind: 'execution_settled',
      outcome: 'text' in outcome ? { ...outcome, ...keptAnswer(outcome.text) } : outcome,
    },
  ],
});
