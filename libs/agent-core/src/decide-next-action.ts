import { addDecimals, type JsonValue } from '#libs/kernel';
import { checkBudget, type Spending } from '#libs/policy';
import {
  checkRepeat,
  iterationLimitText,
  REPORTED_OUTCOME_TEXT,
  UNKNOWN_OUTCOME_ADVICE_TEXT,
  UNKNOWN_OUTCOME_TEXT,
  type CallVerdict,
  type EarlierCall,
  type OnUnknown,
  type RefusalReason,
  type ToolEffect,
} from '#libs/tooling';
import { beyondCallLimits } from './call-limits.js';
import type { ExecutionState, RoundState, ToolCallState } from './execution-state.js';
import type { ExecutionOutcome, JournalEntry, ToolCallOutcome } from './journal-entry.js';
import { keptAnswer } from './kept-answer.js';
import type { LoopRules } from './loop-rules.js';
import { TOO_LATE } from './too-late.js';

export interface RunnableCall extends ToolCallState {
  readonly effect: ToolEffect;
  readonly input: JsonValue;
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
 * Pure. Called only while no effect is in flight, so a call that is started but not settled is one that nobody knows
 * the outcome of: its worker died, or it did not answer in time. There is no "resuming" flag, and no clock: that time is up is
 * a fact like any other.
 */
export function decideNextAction(state: ExecutionState, rules: LoopRules): NextAction {
  if (state.outcome) return { kind: 'finish', outcome: state.outcome };

  const round = state.rounds.at(-1);
  const open = round?.calls.filter((call) => call.outcome === null) ?? [];
  const isAsking = !state.isCancelled && open.some((call) => asksOutcome(call, rules));
  // While a person is asked, time does not run.
  const isLate = !isAsking && state.isLate;
  const withoutRunning = open.flatMap((call) =>
    settleWithoutRunning(call, state, rules, isLate || state.isCancelled),
  );
  if (withoutRunning.length > 0) return { kind: 'record', entries: withoutRunning };

  if (state.isCancelled) return settle({ status: 'cancelled' });
  if (round?.calls.some((call) => mustHalt(call, rules))) return settle(unknownOutcome(round));
  // What became of a call is known before anything else of its round begins.
  if (isAsking) return { kind: 'park' };
  if (round?.calls.length === 0) return settle(answered(round));
  if (isLate) return settle({ status: 'incomplete', reason: 'timeout', text: partialText(state) });
  const runnable = open.filter((call) => call.approval.kind !== 'requested');
  if (runnable.length > 0)
    return { kind: 'run_tools', calls: runnable.flatMap((call) => asRunnable(call, rules)) };
  if (open.length > 0) return { kind: 'park' };
  if (round && round.number >= rules.maximumIterations) return settle(exhausted(round, rules));
  return callModel(state, rules);
}

function callModel(state: ExecutionState, rules: LoopRules): NextAction {
  const failure = state.modelFailures.at(-1);
  const failedTries = state.modelFailures.length;
  if (failure && (!failure.retryable || failedTries > rules.maxModelRetries)) {
    return settle({ status: 'failed', error: failure.error });
  }
  if (failedTries === 0 && checkBudget(spending(state, rules), rules.budget).kind === 'exceeded') {
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

function settleWithoutRunning(
  call: ToolCallState,
  state: ExecutionState,
  rules: LoopRules,
  isOver: boolean,
): JournalEntry[] {
  const verdict = rules.judge(call);
  if (call.started && !isRepeatable(verdict)) return followUnknown(call, verdict, state.isCancelled);
  const beyond = call.started ? null : beyondCallLimits(call, state);
  if (beyond !== null) return [refused(call, beyond.reason, beyond.output)];
  if (verdict.kind === 'refuse') return [refused(call, verdict.reason, verdict.output)];
  if (call.started) return isOver ? [abandoned(call, verdict)] : [];
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
  if (verdict.needsApproval === true && call.approval.kind === 'none') {
    return [{ kind: 'approval_requested', round: call.round, position: call.position }];
  }
  return [];
}

/** A call that began, and that nobody repeats any more: without effects it is as if it never ran, else nobody knows. */
function abandoned(call: ToolCallState, verdict: CallVerdict): JournalEntry {
  const mayHaveHappened = verdict.kind === 'run' && verdict.effect !== 'read';
  return settled(call, mayHaveHappened ? unknownCall(verdict) : TOO_LATE);
}

/** A call that ran and is refused now has lost its tool since: what it did is as unknown as that of an unsafe one. */
function isRepeatable(verdict: CallVerdict): boolean {
  return verdict.kind === 'run' && verdict.effect !== 'unsafe';
}

/** What follows for a call that may have taken effect. */
function followUnknown(call: ToolCallState, verdict: CallVerdict, isCancelled: boolean): JournalEntry[] {
  const { inquiry, round, position } = call;
  if (inquiry.kind === 'reported' && inquiry.report.kind === 'happened')
    return [settled(call, reportedCall(inquiry.report.output ?? REPORTED_OUTCOME_TEXT))];
  if (inquiry.kind === 'reported' || isCancelled || policyOf(verdict) !== 'ask')
    return [settled(call, unknownCall(verdict))];
  return inquiry.kind === 'none' ? [{ kind: 'outcome_asked', round, position }] : [];
}

/** Does, or will, the call wait for a person to say what became of it? */
function asksOutcome(call: ToolCallState, rules: LoopRules): boolean {
  if (!call.started || call.inquiry.kind === 'reported') return false;
  const verdict = rules.judge(call);
  return !isRepeatable(verdict) && policyOf(verdict) === 'ask';
}

function policyOf(verdict: CallVerdict): OnUnknown {
  return verdict.kind === 'run' ? (verdict.onUnknown ?? 'halt') : 'halt';
}

/** The audit shows whose word it is. */
function reportedCall(output: string): ToolCallOutcome {
  const result = { status: 'success', result: { message: output, reported_by: 'person' } };
  return { status: 'succeeded', output, result };
}

function unknownCall(verdict: CallVerdict): ToolCallOutcome {
  const output = policyOf(verdict) === 'inform' ? UNKNOWN_OUTCOME_ADVICE_TEXT : UNKNOWN_OUTCOME_TEXT;
  return { status: 'outcome_unknown', output };
}

/**
 * Unless its tool says that the model is to be told, an outcome that stays unknown ends the execution visibly. That of a call
 * that may be repeated only stays so when the execution ends anyway.
 */
function mustHalt(call: ToolCallState, rules: LoopRules): boolean {
  if (call.outcome?.status !== 'outcome_unknown') return false;
  const verdict = rules.judge(call);
  return !isRepeatable(verdict) && policyOf(verdict) !== 'inform';
}

/** Calls of this run that an equal one must not repeat (S0-38). */
function* badlyEndedCalls(state: ExecutionState, rules: LoopRules): Generator<EarlierCall> {
  for (const call of state.rounds.flatMap((round) => round.calls)) {
    if (call.outcome?.status !== 'failed' && call.outcome?.status !== 'outcome_unknown') continue;
    const verdict = rules.judge(call);
    const { status, output } = call.outcome;
    if (verdict.kind === 'run') yield { toolName: call.toolName, input: verdict.input, status, output };
  }
}

function spending(state: ExecutionState, rules: LoopRules): Spending {
  const usages = [...state.rounds.map((round) => round.answer), ...state.unansweredCalls].map(
    (call) => call.usage,
  );
  return {
    rounds: state.rounds.length,
    totalTokens: usages.reduce((sum, usage) => sum + (usage?.total_tokens ?? 0), 0),
    cost: usages.reduce((sum, usage) => addDecimals(sum, rules.costOf(usage) ?? '0'), '0'),
  };
}

/** In the last permitted round nobody would read the answers; a single round is the exception (S0-14). */
function isBeyondLimit(round: number, rules: LoopRules): boolean {
  return rules.maximumIterations > 1 && round >= rules.maximumIterations;
}

function asRunnable(call: ToolCallState, rules: LoopRules): RunnableCall[] {
  const verdict = rules.judge(call);
  return verdict.kind === 'run' ? [{ ...call, effect: verdict.effect, input: verdict.input }] : [];
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

function partialText(state: ExecutionState): string {
  return state.interruptedText || (state.rounds.at(-1)?.answer.text ?? '');
}

function deniedText(reason: string): string {
  return reason === '' ? 'a person refused this call' : `a person refused this call: ${reason}`;
}

const settled = (call: ToolCallState, outcome: ToolCallOutcome): JournalEntry => ({
  kind: 'tool_call_settled',
  round: call.round,
  position: call.position,
  outcome,
});

const refused = (call: ToolCallState, reason: RefusalReason, output: string): JournalEntry =>
  settled(call, { status: 'refused', reason, output });

const settle = (outcome: ExecutionOutcome): NextAction => ({
  kind: 'record',
  entries: [
    {
      kind: 'execution_settled',
      outcome: 'text' in outcome ? { ...outcome, ...keptAnswer(outcome.text) } : outcome,
    },
  ],
});
