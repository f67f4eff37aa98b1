import { parseCallName, ROOT, type JournalEntry } from '#libs/agent-core';
import type { PendingCall } from '#libs/payloads';
import type { CallDecision, DecisionRefusal } from '../ports/decision-store.js';

/** As it is stored; calls that an older release parked ask for approval without saying so. */
export type WaitingCall = Omit<PendingCall, 'asks'> & Partial<Pick<PendingCall, 'asks'>>;

export type DecisionVerdict =
  | Extract<DecisionRefusal, { readonly calls: readonly string[] }>
  /** Facts to append, and the calls that still wait for somebody. */
  | {
      readonly kind: 'taken';
      readonly facts: readonly JournalEntry[];
      readonly left: readonly WaitingCall[];
    };

/** What decisions over waiting calls come to: all of them, or none and why. Pure. */
export function judgeDecisions(
  waiting: readonly WaitingCall[],
  decisions: readonly CallDecision[],
): DecisionVerdict {
  const named = decisions.map(({ call }) => call);
  const unknown = named.filter(
    (call, index) => named.indexOf(call) !== index || !waiting.some((one) => one.call === call),
  );
  if (unknown.length > 0) return { kind: 'unknown_calls', calls: unknown };
  const wrong = decisions.filter((decision) =>
    waiting.some((one) => one.call === decision.call && !fits(decision, one)),
  );
  if (wrong.length > 0) return { kind: 'wrong_kind', calls: wrong.map(({ call }) => call) };
  const left = waiting.filter(({ call }) => !named.includes(call));
  return { kind: 'taken', facts: decisions.map(toFact), left };
}

/** What follows when nobody decided in time: no call is approved, and an outcome that nobody reported stays unknown. */
export function decisionsOfNobody(waiting: readonly WaitingCall[], reason: string): CallDecision[] {
  return waiting.map(({ call, asks }) =>
    asks === 'outcome' ? { call, report: { kind: 'unknown' }, reason } : { call, approved: false, reason },
  );
}

function fits(decision: CallDecision, { asks }: WaitingCall): boolean {
  return (asks === 'outcome') === 'report' in decision;
}

function toFact(decision: CallDecision): JournalEntry {
  const { scope, ...at } = parseCallName(decision.call);
  const { reason } = decision;
  const call = { ...at, ...(scope !== ROOT && { scope }) };
  if ('report' in decision) return { kind: 'outcome_reported', ...call, report: decision.report, reason };
  return { kind: 'approval_decided', ...call, approved: decision.approved, reason };
}
