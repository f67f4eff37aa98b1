import {
  agentCallLimitText,
  agentDepthLimitText,
  changedToolText,
  checkRepeat,
  iterationLimitText,
  type EarlierCall,
  type RefusalReason,
  type SignedCall,
} from '#libs/tooling';
import { abandoned, followUnknown, isRepeatable, opens, opensScope } from './begun-calls.js';
import { refused, settled, TOO_LATE } from './call-facts.js';
import { beyondCallLimits } from './call-limits.js';
import { hasReadForeign } from './foreign-content.js';
import type { JournalEntry, ToolCallOutcome } from './journal-entry.js';
import type { ScopeRules } from './scope-rules.js';
import type { ScopeState, ToolCallState } from './scope-state.js';
import { depthOf, MAX_CHILD_SCOPES, MAX_SCOPE_DEPTH } from './scopes/scope-path.js';
import type { ScopeSurroundings } from './scopes/scope-surroundings.js';

/** The state that decides about the calls of a round. */
export interface Round {
  readonly state: ScopeState;
  readonly rules: ScopeRules;
  readonly surroundings: ScopeSurroundings;
  readonly open: readonly ToolCallState[];
  /** Whether the outcome of a call ends the execution. */
  readonly halts: boolean;
  /** Whether no further call may begin. */
  readonly isOver: boolean;
}

/** The facts for a call that needs no run; empty if the call may run or waits. */
export function settleWithoutRunning(call: ToolCallState, round: Round): JournalEntry[] {
  const { state, rules, surroundings, halts, isOver } = round;
  const beyond = call.started ? null : beyondCallLimits(call, state, surroundings.callsElsewhere);
  if (beyond !== null) return [refused(call, beyond.reason, beyond.output)];
  const verdict = rules.verdictOf(call);
  if (call.started && opens(verdict)) return [];
  if (call.started && !isRepeatable(verdict)) return followUnknown(call, verdict, state.isCancelled || halts);
  if (verdict.kind === 'refuse') return [refused(call, verdict.reason, verdict.output)];
  if (call.started) return isOver ? [abandoned(call, verdict)] : [];
  if (rules.changedTools.has(call.toolName))
    return [refused(call, 'unknown_tool', changedToolText(call.toolName))];
  if (call.approval.kind === 'denied') return [refused(call, 'denied', deniedText(call.approval.reason))];
  // The pipeline itself decides on retries of its steps.
  const earlier = isOfStep(call, state) ? [] : badlyEndedCalls(state, rules);
  const repeat = checkRepeat(signed(call, rules), earlier);
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
  if (call.approval.kind !== 'none') return [];
  if (verdict.needsApproval === true) return [approvalRequested(call)];
  if (verdict.effect === 'unsafe' && asksAfterForeign(call, round))
    return [{ ...approvalRequested(call), because: 'foreign_content' }];
  return [];
}

function approvalRequested({ round, position }: ToolCallState) {
  return { kind: 'approval_requested', round, position } as const;
}

/** A call that the model requested before it read foreign content needs no approval on that ground. */
function asksAfterForeign({ round }: ToolCallState, { state, rules, surroundings }: Round): boolean {
  if (!rules.asksAfterForeignContent && !surroundings.callersAskAfterForeign) return false;
  return surroundings.bringsForeign || hasReadForeign(state, round);
}

/** The refusal of a sub-agent call beyond the limits, null within them. Earlier calls of the round count first. */
function beyondScopeLimits(
  call: ToolCallState,
  { state, open, rules, surroundings }: Round,
): { readonly reason: RefusalReason; readonly output: string } | null {
  if (depthOf(surroundings.path) >= MAX_SCOPE_DEPTH)
    return { reason: 'agent_depth_limit', output: agentDepthLimitText(MAX_SCOPE_DEPTH) };
  // The pipeline bounds its steps and their retries.
  if (isOfStep(call, state)) return null;
  const before = open.filter(
    (other) => other.position < call.position && !other.started && opensScope(other, rules),
  );
  if (surroundings.opened + before.length >= MAX_CHILD_SCOPES)
    return { reason: 'agent_call_limit', output: agentCallLimitText(MAX_CHILD_SCOPES) };
  return null;
}

/** Whether a pipeline made the call, not a model. */
function isOfStep({ round }: ToolCallState, { rounds }: ScopeState): boolean {
  return rounds[round - 1]?.step !== undefined;
}

/** Calls of this scope that an equal call must not repeat (S0-38). */
function* badlyEndedCalls(state: ScopeState, rules: ScopeRules): Generator<EarlierCall> {
  for (const call of state.rounds.flatMap((round) => round.calls)) {
    if (call.outcome === null || !hasEndedBadly(call.outcome)) continue;
    const { status, output } = call.outcome;
    yield { ...signed(call, rules), status, output };
  }
}

/** Whether an equal call must not run after this outcome. */
export function hasEndedBadly({ status }: ToolCallOutcome): boolean {
  return status === 'failed' || status === 'outcome_unknown';
}

function signed(call: ToolCallState, rules: ScopeRules): SignedCall {
  return { toolName: call.toolName, signature: () => rules.signatureOf(call) };
}

/** In the last permitted round no model would read the outputs; a limit of one round is the exception (S0-14). */
function isBeyondLimit(round: number, rules: ScopeRules): boolean {
  return rules.maximumIterations > 1 && round >= rules.maximumIterations;
}

function deniedText(reason: string): string {
  return reason === '' ? 'a person refused this call' : `a person refused this call: ${reason}`;
}
