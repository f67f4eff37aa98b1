import type { ExecutionEvent, TakenDecision } from '#libs/payloads';
import type { JournalEntry } from './journal-entry.js';
import { callName, ROOT } from './scopes/scope-path.js';

export type DecisionFact = Extract<JournalEntry, { kind: 'approval_decided' | 'outcome_reported' }>;

export function isDecision(entry: JournalEntry): entry is DecisionFact {
  return entry.kind === 'approval_decided' || entry.kind === 'outcome_reported';
}

/** The decisions since the last attempt's facts; until the next attempt, only a cancellation can stand between them. */
export function decisionsSinceLastAttempt(facts: readonly JournalEntry[]): readonly DecisionFact[] {
  const last = facts.findLastIndex((fact) => !isDecision(fact) && fact.kind !== 'cancellation_requested');
  return facts.slice(last + 1).filter(isDecision);
}

/** The event of a decision. */
export function toDecisionEvent(fact: DecisionFact): ExecutionEvent {
  const call = callName(fact.scope ?? ROOT, fact);
  return fact.kind === 'approval_decided'
    ? { event: 'approval_decided', data: { call, approved: fact.approved, ...groundsOf(fact) } }
    : { event: 'outcome_decided', data: { call, outcome: fact.report.kind, ...groundsOf(fact) } };
}

export function toTakenDecision(fact: DecisionFact): TakenDecision {
  return fact.kind === 'approval_decided'
    ? { asked: 'approval', approved: fact.approved, outcome: null, ...groundsOf(fact) }
    : { asked: 'outcome', approved: null, outcome: fact.report.kind, ...groundsOf(fact) };
}

function groundsOf({
  reason,
  by,
  decidedAt,
}: DecisionFact): Pick<TakenDecision, 'reason' | 'decided_by' | 'decided_at'> {
  return {
    reason,
    decided_by: by === undefined ? null : { key_id: by.keyId, person: by.person },
    decided_at: decidedAt === undefined ? null : new Date(decidedAt).toISOString(),
  };
}
