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
import { refused, settled } from './call-facts.js';
import { beyondCallLimits } from './call-limits.js';
import { hasReadForeign } from './foreign-content.js';
import type { JournalEntry, ToolCallOutcome } from './journal-entry.js';
import type { ScopeRules } from './scope-rules.js';
import type { ScopeState, ToolCallState } from './scope-state.js';
import { depthOf, MAX_CHILD_SCOPES, MAX_SCOPE_DEPTH } from './scopes/scope-path.js';
import type { ScopeSurroundings } from './scopes/scope-surroundings.js';
import { TOO_LATE } from './too-late.js';

/** What decides over the calls of a round. */
export interface Round {
  readonly state: ScopeState;
  readonly rules: ScopeRules;
  readonly surroundings: ScopeSurroundings;
  readonly open: readonly ToolCallState[];
  /** A call of it has ended in a way that ends the execution. */
  readonly halts: boolean;
  /** None of its calls begins any more. */
  readonly isOver: boolean;
}

/** What follows for a call without running it: the facts, none where it may run, or waits. */
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
  // Whether a step is tried again its pipeline has decided.
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

/** What was asked for before its model read anything foreign is not asked for by that. */
function asksAfterForeign({ round }: ToolCallState, { state, rules, surroundings }: Round): boolean {
  if (!rules.asksAfterForeignContent && !surroundings.callersAskAfterForeign) return false;
  return surroundings.bringsForeign || hasReadForeign(state, round);
}

/** May one more agent be called, from here? Those that stand before it in the round come first. */
function beyondScopeLimits(
  call: ToolCallState,
  { state, open, rules, surroundings }: Round,
): { readonly reason: RefusalReason; readonly output: string } | null {
  if (depthOf(surroundings.path) >= MAX_SCOPE_DEPTH)
    return { reason: 'agent_depth_limit', output: agentDepthLimitText(MAX_SCOPE_DEPTH) };
  // How many steps there are, and how often each may run, their pipeline says.
  if (isOfStep(call, state)) return null;
  const before = open.filter(
    (other) => other.position < call.position && !other.started && opensScope(other, rules),
  );
  if (surroundings.opened + before.length >= MAX_CHILD_SCOPES)
    return { reason: 'agent_call_limit', output: agentCallLimitText(MAX_CHILD_SCOPES) };
  return null;
}

/** Whether no model has asked for the call, but a pipeline. */
function isOfStep({ round }: ToolCallState, { rounds }: ScopeState): boolean {
  return rounds[round - 1]?.step !== undefined;
}

/** Calls of this run that an equal one must not repeat (S0-38). */
function* badlyEndedCalls(state: ScopeState, rules: ScopeRules): Generator<EarlierCall> {
  for (const call of state.rounds.flatMap((round) => round.calls)) {
    if (call.outcome === null || !hasEndedBadly(call.outcome)) continue;
    const { status, output } = call.outcome;
    yield { ...signed(call, rules), status, output };
  }
}

/** Whether an equal call must not run after it. */
export function hasEndedBadly({ status }: ToolCallOutcome): boolean {
  return status === 'failed' || status === 'outcome_unknown';
}

function signed(call: ToolCallState, rules: ScopeRules): SignedCall {
  return { toolName: call.toolName, signature: () => rules.signatureOf(call) };
}

/** In the last permitted round nobody would read the answers; a single round is the exception (S0-14). */
function isBeyondLimit(round: number, rules: ScopeRules): boolean {
  return rules.maximumIterations > 1 && round >= rules.maximumIterations;
}

function deniedText(reason: string): string {
  return reason === '' ? 'a person refused this call' : `a person refused this call: ${reason}`;
}
