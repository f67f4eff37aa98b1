import type { JsonValue } from '#libs/kernel';
import type { ToolEffect } from '#libs/tooling';
import type { ExecutionState, RoundState, ToolCallState } from './execution-state.js';
import type { ExecutionOutcome, JournalEntry, ToolCallOutcome } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';

export interface RunnableCall extends ToolCallState {
  readonly effect: ToolEffect;
  readonly input: JsonValue;
}

export type NextAction =
  /** Nothing has to happen: these facts follow from the state. */
  | { readonly kind: 'record'; readonly entries: readonly JournalEntry[] }
  | {
      readonly kind: 'call_model';
      readonly round: number;
      readonly failedTries: number;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'run_tools'; readonly calls: readonly RunnableCall[] }
  | { readonly kind: 'finish'; readonly outcome: ExecutionOutcome };

/**
 * Pure. Called only while no effect is in flight, so a call that is started but not settled can only be the leftover
 * of a worker that died: there is no "resuming" flag.
 */
export function decideNextAction(state: ExecutionState, rules: LoopRules, now: number): NextAction {
  if (state.outcome) return { kind: 'finish', outcome: state.outcome };

  const round = state.rounds.at(-1);
  const open = round?.calls.filter((call) => call.outcome === null) ?? [];
  const isLate = now >= rules.deadlineAt;
  const withoutRunning = open.flatMap((call) => settleWithoutRunning(call, rules, isLate));
  if (withoutRunning.length > 0) return { kind: 'record', entries: withoutRunning };

  if (round?.calls.some((call) => call.outcome?.status === 'outcome_unknown'))
    return settle(unknownOutcome(round));
  if (round?.calls.length === 0) return settle(answered(round));
  if (isLate) return settle({ status: 'incomplete', reason: 'timeout', text: partialText(state) });
  if (open.length > 0) return { kind: 'run_tools', calls: open.flatMap((call) => runnable(call, rules)) };
  if (round && round.number >= rules.maximumIterations) return settle(exhausted(round, rules));
  return callModel(state, rules);
}

function callModel(state: ExecutionState, rules: LoopRules): NextAction {
  const failure = state.modelFailures.at(-1);
  const failedTries = state.modelFailures.length;
  if (failure && (!failure.retryable || failedTries > rules.maxModelRetries)) {
    return settle({ status: 'failed', error: failure.error });
  }
  return {
    kind: 'call_model',
    round: state.rounds.length + 1,
    failedTries,
    retryAfterMs: failure?.retryAfterMs ?? null,
  };
}

function settleWithoutRunning(call: ToolCallState, rules: LoopRules, isLate: boolean): JournalEntry[] {
  const verdict = rules.judge(call);
  if (verdict.kind === 'refuse') return [settled(call, { status: 'refused', output: verdict.output })];
  if (call.started && verdict.effect === 'unsafe')
    return [settled(call, { status: 'outcome_unknown', output: UNKNOWN_OUTCOME_TEXT })];
  if (isLate)
    return [settled(call, { status: 'refused', output: 'the execution ran out of time before this call' })];
  if (isBeyondLimit(call.round, rules))
    return [settled(call, { status: 'refused', output: iterationLimitText(call.toolName, rules) })];
  return [];
}

/** In the last permitted round nobody would read the answers; a single round is the exception (S0-14). */
function isBeyondLimit(round: number, rules: LoopRules): boolean {
  return rules.maximumIterations > 1 && round >= rules.maximumIterations;
}

function runnable(call: ToolCallState, rules: LoopRules): RunnableCall[] {
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

function iterationLimitText(toolName: string, rules: LoopRules): string {
  return `Maximum iteration limit (${rules.maximumIterations}) reached. Cannot call tool '${toolName}'. Please consider increasing the iteration limit.`;
}

const UNKNOWN_OUTCOME_TEXT = 'it is not known whether this call took effect';

const settled = (call: ToolCallState, outcome: ToolCallOutcome): JournalEntry => ({
  kind: 'tool_call_settled',
  round: call.round,
  position: call.position,
  outcome,
});

const settle = (outcome: ExecutionOutcome): NextAction => ({
  kind: 'record',
  entries: [{ kind: 'execution_settled', outcome }],
});
