import type { ExecutionOutcome } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import { RATE_LIMITED } from './ports/model-call-error.js';
import { lastOutput } from './pipelines/step-state.js';
import type { RoundState, ScopeState } from './scope-state.js';

/** Outcome after an answer without tool calls. */
export function answered(round: RoundState): ExecutionOutcome {
  const { text, incompleteReason } = round.answer;
  return incompleteReason
    ? { status: 'incomplete', reason: incompleteReason, text }
    : { status: 'completed', text };
}

/** Outcome after the last permitted round. */
export function exhausted(round: RoundState, rules: Pick<LoopRules, 'maximumIterations'>): ExecutionOutcome {
  const outputs = round.calls.map((call) => call.outcome?.output ?? '');
  const text = rules.maximumIterations === 1 ? outputs.join('\n') : round.answer.text;
  return { status: 'incomplete', reason: 'max_iterations', text };
}

/** Outcome after calls with an unknown outcome. */
export function unknownOutcome(round: RoundState): ExecutionOutcome {
  const names = round.calls
    .filter((call) => call.outcome?.status === 'outcome_unknown')
    .map((call) => call.toolName);
  const message = `it is not known whether these tool calls took effect: ${names.join(', ')}`;
  return { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN', message } };
}

/**
 * Outcome at the deadline: the partial answer, or the provider's error if the execution spent its time waiting for a
 * provider's rate limit.
 */
export function outOfTime(state: ScopeState): ExecutionOutcome {
  const refusal = state.modelFailures.at(-1)?.error;
  if (refusal?.code === RATE_LIMITED && state.interruptedText === '')
    return { status: 'failed', error: refusal };
  return { status: 'incomplete', reason: 'timeout', text: partialText(state) };
}

/** The partial answer at a deadline or an exhausted budget. */
export function partialText(state: ScopeState): string {
  if (state.steps.length > 0) return lastOutput(state.steps);
  return state.interruptedText || (state.rounds.at(-1)?.answer.text ?? '');
}
