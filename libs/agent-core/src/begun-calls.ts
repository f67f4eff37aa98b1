import {
  REPORTED_OUTCOME_TEXT,
  UNKNOWN_OUTCOME_ADVICE_TEXT,
  UNKNOWN_OUTCOME_TEXT,
  type CallVerdict,
  type OnUnknown,
} from '#libs/tooling';
import { settled, TOO_LATE } from './call-facts.js';
import type { ToolCallState } from './scope-state.js';
import type { JournalEntry, ToolCallOutcome } from './journal-entry.js';
import type { ScopeRules } from './scope-rules.js';

export function opens(verdict: CallVerdict): boolean {
  return verdict.kind === 'run' && verdict.opens !== undefined;
}

export function opensScope(call: ToolCallState, rules: ScopeRules): boolean {
  return opens(rules.verdictOf(call));
}

/**
 * Settles a started call that will not run again. A read is settled as never run; the outcome of any other effect, and
 * of a call with a tool that no longer exists, is unknown.
 */
export function abandoned(call: ToolCallState, verdict: CallVerdict): JournalEntry {
  const mayHaveHappened = verdict.kind === 'refuse' || verdict.effect !== 'read';
  return settled(call, mayHaveHappened ? unknownCall(verdict) : TOO_LATE);
}

/** A started call that is now refused has lost its tool, so its outcome is as unknown as that of an unsafe call. */
export function isRepeatable(verdict: CallVerdict): boolean {
  return opens(verdict) || (verdict.kind === 'run' && verdict.effect !== 'unsafe');
}

/**
 * The facts for a call that may have taken effect: its reported outcome, an unknown outcome, or a question to a person.
 */
export function followUnknown(call: ToolCallState, verdict: CallVerdict, isEnding: boolean): JournalEntry[] {
  const { inquiry, round, position } = call;
  if (inquiry.kind === 'reported' && inquiry.report.kind === 'happened')
    return [settled(call, reportedCall(inquiry.report.output ?? REPORTED_OUTCOME_TEXT))];
  if (inquiry.kind === 'reported' || isEnding || policyOf(verdict) !== 'ask')
    return [settled(call, unknownCall(verdict))];
  return inquiry.kind === 'none' ? [{ kind: 'outcome_asked', round, position }] : [];
}

/** Whether the call waits, or will wait, for a person's report of its outcome. */
export function asksOutcome(call: ToolCallState, rules: ScopeRules): boolean {
  if (!call.started || call.inquiry.kind === 'reported') return false;
  const verdict = rules.verdictOf(call);
  return !isRepeatable(verdict) && policyOf(verdict) === 'ask';
}

function policyOf(verdict: CallVerdict): OnUnknown {
  return verdict.kind === 'run' ? (verdict.onUnknown ?? 'halt') : 'halt';
}

/** `reported_by` marks in the audit that a person reported the outcome, not the tool. */
function reportedCall(output: string): ToolCallOutcome {
  const result = { status: 'success', result: { message: output, reported_by: 'person' } };
  return { status: 'succeeded', output, result };
}

function unknownCall(verdict: CallVerdict): ToolCallOutcome {
  const output = policyOf(verdict) === 'inform' ? UNKNOWN_OUTCOME_ADVICE_TEXT : UNKNOWN_OUTCOME_TEXT;
  return { status: 'outcome_unknown', output };
}

/**
 * An unknown outcome ends the execution, unless the tool's policy is to inform the model. The outcome of a repeatable
 * call stays unknown only if the execution ends anyway.
 */
export function mustHalt(call: ToolCallState, rules: ScopeRules): boolean {
  if (call.outcome?.status !== 'outcome_unknown') return false;
  const verdict = rules.verdictOf(call);
  // The outcome of a sub-agent is unknown only if a call inside it had to halt.
  if (opens(verdict)) return true;
  return !isRepeatable(verdict) && policyOf(verdict) !== 'inform';
}
