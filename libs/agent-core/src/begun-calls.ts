import {
  REPORTED_OUTCOME_TEXT,
  UNKNOWN_OUTCOME_ADVICE_TEXT,
  UNKNOWN_OUTCOME_TEXT,
  type CallVerdict,
  type OnUnknown,
} from '#libs/tooling';
import { settled } from './call-facts.js';
import type { ToolCallState } from './scope-state.js';
import type { JournalEntry, ToolCallOutcome } from './journal-entry.js';
import type { ScopeRules } from './scope-rules.js';
import { TOO_LATE } from './too-late.js';

export function opens(verdict: CallVerdict): boolean {
  return verdict.kind === 'run' && verdict.opens !== undefined;
}

export function opensScope(call: ToolCallState, rules: ScopeRules): boolean {
  return opens(rules.verdictOf(call));
}

/**
 * A call that began, and that nobody repeats any more. What only reads is as if it never ran; else, and where the tool has
 * vanished that would say so, nobody knows.
 */
export function abandoned(call: ToolCallState, verdict: CallVerdict): JournalEntry {
  const mayHaveHappened = verdict.kind === 'refuse' || verdict.effect !== 'read';
  return settled(call, mayHaveHappened ? unknownCall(verdict) : TOO_LATE);
}

/** A call that ran and is refused now has lost its tool since: what it did is as unknown as that of an unsafe one. */
export function isRepeatable(verdict: CallVerdict): boolean {
  return opens(verdict) || (verdict.kind === 'run' && verdict.effect !== 'unsafe');
}

/** What follows for a call that may have taken effect. */
export function followUnknown(call: ToolCallState, verdict: CallVerdict, isEnding: boolean): JournalEntry[] {
  const { inquiry, round, position } = call;
  if (inquiry.kind === 'reported' && inquiry.report.kind === 'happened')
    return [settled(call, reportedCall(inquiry.report.output ?? REPORTED_OUTCOME_TEXT))];
  if (inquiry.kind === 'reported' || isEnding || policyOf(verdict) !== 'ask')
    return [settled(call, unknownCall(verdict))];
  return inquiry.kind === 'none' ? [{ kind: 'outcome_asked', round, position }] : [];
}

/** Does, or will, the call wait for a person to say what became of it? */
export function asksOutcome(call: ToolCallState, rules: ScopeRules): boolean {
  if (!call.started || call.inquiry.kind === 'reported') return false;
  const verdict = rules.verdictOf(call);
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
 * Unless its tool says that the model is to be informed, an outcome that stays unknown ends the execution visibly. That
 * of a call that may be repeated only stays so when the execution ends anyway.
 */
export function mustHalt(call: ToolCallState, rules: ScopeRules): boolean {
  if (call.outcome?.status !== 'outcome_unknown') return false;
  const verdict = rules.verdictOf(call);
  // It says so because a call inside had to end it.
  if (opens(verdict)) return true;
  return !isRepeatable(verdict) && policyOf(verdict) !== 'inform';
}
